import type { NodeClaim } from '../../cluster/autoscaler.ts';
import type { Condition } from '../../cluster/metadata.ts';
import type { Node, Pod } from '../../cluster/resources.ts';
import { labelsOf } from '../../settings/pod-selector.ts';
import type { PlannedAction } from '../actions/index.ts';
import type { Expectation } from '../finding.ts';
import { hashAnnotation, hashVersion, hashVersionAnnotation } from '../manifests/pool-hash.ts';
import { zoneLabel } from '../observe/probe-zones.ts';
import { type Before, poolSelector, poolText, readyPods } from '../observe/snapshot.ts';
import { victimRule, zoneRule } from '../observe/victim.ts';
import { appliesApplication, type Settings } from '../settings.ts';

/** Names in a plan for what is known only when a scenario begins. No object can have such a name (RFC 1123). */
export const placeholders = {
  node: '<node>',
  otherNode: '<other-node>',
  zone: '<zone>',
  nodeClaim: '<node-claim>',
  hash: '<hash>',
  instance: '<instance>',
  pod: '<pod>',
  recordValue: '<as-it-was>',
} as const;

/** Whether phase 3 will deploy the application: it applies manifests, and no pod of the application is ready now. */
export const willBeApplied = (before: Before, settings: Pick<Settings, 'manifests' | 'applied'>): boolean =>
  appliesApplication(settings) && readyPods(before).length === 0;

/**
 * The cluster as a scenario will find it that begins with so many replicas. Pods of an application that is not applied
 * yet are on two placeholder nodes. If one pod of several will be left, it is a placeholder, because nobody knows which
 * one.
 */
export function atBaseline(before: Before, replicas: number, settings: Settings): Before {
  const [ready] = readyPods(before);
  if (ready !== undefined && replicas === 1 && before.pods.length > 1)
    return { ...before, pods: [{ ...ready, metadata: { ...ready.metadata, name: placeholders.pod } }] };
  if (!willBeApplied(before, settings)) return before;
  const nodes = placeholderNodes(settings);
  return {
    ...before,
    nodes: [...before.nodes, ...nodes],
    claims: [...before.claims, ...nodes.map((node) => claimOf(node, settings))],
    pods: nodes.slice(0, replicas).map((node) => podOn(node, settings)),
  };
}

/** Two placeholder nodes: the victim, and one for every other node of the pool. */
export const placeholderNodes = (settings: Settings): readonly Node[] =>
  [placeholders.node, placeholders.otherNode].map((name) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...labelsOf(poolSelector(settings)), ...zoneOf(name) } },
    spec: { providerID: placeholders.instance },
    status: { conditions: [isTrue('Ready')] },
  }));

const zoneOf = (name: string) => (name === placeholders.node ? { [zoneLabel]: placeholders.zone } : {});

/** The NodeClaim of a placeholder node. That of the victim is the one that a scenario marks as drifted. */
export function claimOf({ metadata: { name } }: Node, { nodePool: { nodeClass } }: Settings): NodeClaim {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: name === placeholders.node ? placeholders.nodeClaim : `${name} claim`,
      annotations: { [hashAnnotation]: placeholders.hash, [hashVersionAnnotation]: hashVersion },
    },
    spec: { nodeClassRef: nodeClass, requirements: [] },
    status: { nodeName: name, conditions: [isTrue('Initialized')] },
  };
}

function podOn({ metadata: { name: nodeName } }: Node, { namespace }: Settings): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: placeholders.pod, namespace },
    spec: { nodeName, containers: [] },
    status: { conditions: [isTrue('Ready')] },
  };
}

const isTrue = (type: string): Condition => ({ type, status: 'True' });

/** A note without the neighbours of a placeholder node, which are not known yet. */
export const noteOfPlanned = (note: Expectation): Expectation =>
  note.neighbours?.node === placeholders.node ? { ...note, observed: notKnownYet } : note;

const notKnownYet =
  'not known before it is chosen: plan says it once the application runs, and validate before it ends an instance';

/**
 * What each placeholder in the text of a plan stands for, and how the run will choose it; `planned` are the actions
 * that the text is of.
 */
export function placeholderNotes(
  text: string,
  planned: readonly PlannedAction[],
  settings: Settings,
): readonly string[] {
  const { node, otherNode, zone, nodeClaim, hash, instance, pod, recordValue } = placeholders;
  const hasVictim = !planned.some((one) => one.action === 'cordon-node' && one.target.node === node);
  const everyNode = `a node of ${poolText(settings)}: all that take new pods when the scenario begins are cordoned`;
  const everyOfZone = `each node of ${poolText(settings)} in ${zone}`;
  const isOfZone = planned.some(({ target }) => 'zone' in target && target.zone === zone);
  const meanings: Readonly<Record<string, string>> = {
    [node]: isOfZone ? everyOfZone : hasVictim ? `chosen when the scenario begins: ${victimRule(settings)}` : everyNode,
    [zone]: `chosen when the scenario begins: ${zoneRule(settings)}`,
    [otherNode]: hasVictim ? 'each other node of the pool that takes new pods then' : 'another one of them',
    [nodeClaim]: `the NodeClaim of ${node}`,
    [hash]: 'what its annotation says, read before it is changed',
    [instance]: `the instance under ${node}`,
    [pod]: 'the only ready pod of the application when the scenario begins',
    [recordValue]: 'the record and the mark of its owner are read before they are deleted, and put back field by field',
  };
  return Object.entries(meanings).flatMap(([name, meaning]) => (text.includes(name) ? [`${name}: ${meaning}`] : []));
}
