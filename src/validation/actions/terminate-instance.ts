import type { Cloud, Instance } from '../../cloud/cloud.ts';
import { poll } from '../../cluster/poll.ts';
import { OperationError } from '../../host/errors.ts';
import type { Expectation } from '../finding.ts';
import { isMirrorOrDaemon } from '../observe/neighbours.ts';
import type { Site } from '../site.ts';
import type { Action } from './action.ts';

export interface TerminateTarget {
  readonly node: string;
  readonly nodePool: string;
}
/** The machine of a node, in the cloud's words. */
export interface Machine {
  readonly node: string;
  readonly providerId: string;
  readonly instance: string;
}
export interface TerminateIntent extends TerminateTarget, Machine {
  /** The pods on the node, `namespace/name`, without those of DaemonSets. */
  readonly pods: readonly string[];
}

/** The tag that Karpenter puts on the instances of a pool. */
const poolTag = 'karpenter.sh/nodepool';
/** EC2 usually reports `shutting-down` at once; this leaves room for a slow API. */
const endingWithinSeconds = 30;

/**
 * Terminates the instance of a node, like a crash of the machine. Only a running instance whose tag names the pool.
 * Irreversible: the autoscaler creates another node.
 */
export const terminateInstance: Action<TerminateTarget, TerminateIntent> = {
  name: 'terminate-instance',
  async prepare(site, target) {
    const { providerId, instance } = await terminable(site, target);
    return { ...target, providerId, instance, pods: await podsOn(site, target.node) };
  },
  async perform(site, { node, providerId }) {
    await cloudOf(site, node).terminate([providerId]);
  },
  verify: (site, { node, providerId, instance }) => awaitEnding(site, [{ node, providerId, instance }]),
  undo: async () => ({
    state: 'irreversible',
    because: 'a terminated instance does not come back; the autoscaler makes another node',
  }),
  takes: ({ node }) => [node],
  nodes: ({ node }) => [node],
  replacedFor: 'instance-ended',
  subject: ({ instance, node }) => `instance ${instance} (Node ${node})`,
  permission: ({ instance, pods }) => ({
    typed: instance,
    because: `it ends these pods: ${pods.join(', ') || 'none'}`,
  }),
  byHand: ({ nodePool }) => claimsByHand(nodePool),
};

export const claimsByHand = (nodePool: string): string => `kubectl get nodeclaims -l ${poolTag}=${nodePool}`;

/** The instance under a node, if it runs and its tag names the pool; an `OperationError` otherwise. */
export async function terminable(site: Site, target: TerminateTarget): Promise<Machine> {
  const node = await site.cluster.get('Node', { name: target.node });
  const providerId = node?.spec?.providerID;
  if (providerId === undefined) throw cannotTerminate(target.node, 'its Node has no providerID');
  const instance = await cloudOf(site, target.node).instance(providerId);
  if (instance === undefined) throw cannotTerminate(target.node, 'the cloud knows no such instance');
  if (instance.state !== 'running') throw cannotTerminate(target.node, `its instance is ${instance.state}`);
  const owner = instance.tags[poolTag];
  if (owner !== target.nodePool)
    throw cannotTerminate(target.node, `its instance ${instance.id} is tagged ${poolTag}=${owner ?? 'nothing'}`);
  return { node: target.node, providerId, instance: instance.id };
}

function cannotTerminate(node: string, reason: string): OperationError {
  return new OperationError({ tried: 'Choosing the instance of', on: `Node ${node}`, reason });
}

export function cloudOf({ cloud }: Site, node: string): Cloud {
  if (cloud !== undefined) return cloud;
  throw cannotTerminate(node, 'there is no access to the cloud');
}

export async function podsOn({ cluster }: Site, node: string): Promise<readonly string[]> {
  const pods = await cluster.list('Pod', { fieldSelector: `spec.nodeName=${node}` });
  return pods.filter((pod) => !isMirrorOrDaemon(pod)).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}

/** Waits until none of them runs any more. */
export async function awaitEnding(site: Site, machines: readonly Machine[]): Promise<Expectation> {
  const named = machines.map(({ instance }) => instance).join(', ');
  const expected = `instance${machines.length === 1 ? '' : 's'} ${named} no longer running`;
  let states: readonly (Instance['state'] | 'gone')[] = [];
  const ended = await poll({ site }, endingWithinSeconds, async () => {
    const found = machines.map(({ node, providerId }) => cloudOf(site, node).instance(providerId));
    states = (await Promise.all(found)).map((instance) => instance?.state ?? 'gone');
    return !states.includes('running');
  });
  const observed = `${machines.length === 1 ? 'it is' : 'they are'} ${[...new Set(states)].join(', ')}`;
  return { id: 'instance-ended', expected, outcome: ended ? 'met' : 'inconclusive', observed };
}
