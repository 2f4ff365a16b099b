import type { NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import { fulfils, requirementText } from '../../cluster/requirements.ts';
import type { Node } from '../../cluster/resources.ts';
import { differences } from './differences.ts';

/** What a change of a NodePool would do to its nodes. */
export interface PoolChange {
  /** What drifts nodes: changed fields that are part of the hash, or requirements that a node does not fulfil. */
  readonly because: readonly string[];
  /** The NodeClaims that would be replaced. */
  readonly drifts: readonly string[];
  /**
   * Changed fields that change what the autoscaler does and drift no node (docs/facts/karpenter.md, "The fields of a
   * NodePool").
   */
  readonly behavioural: readonly string[];
}

/**
 * Karpenter's rule (nodepool.go, Hash; drift.go): a change in `spec.template` outside its requirements drifts every
 * NodeClaim of the pool, a changed requirement those whose node does not fulfil it.
 */
export function poolChange(
  live: NodePool,
  planned: NodePool,
  claims: readonly NodeClaim[],
  nodes: readonly Node[],
): PoolChange {
  const hashed = differences(hashedPart(live), hashedPart(planned), '/spec/template');
  const behavioural = differences(behaviour(live), behaviour(planned), '/spec');
  const names = claims.map(({ metadata }) => metadata.name);
  if (hashed.length > 0) return { because: claims.length > 0 ? hashed : [], drifts: names, behavioural };
  const already = new Set(live.spec.template.spec.requirements.map(requirementText));
  // A requirement that stays is no change: a node that misses it drifts without this run too.
  const requirements = planned.spec.template.spec.requirements.filter((one) => !already.has(requirementText(one)));
  const missed = claims.flatMap((claim) => {
    const labels = { ...claim.metadata.labels, ...nodeLabels(claim, nodes) };
    const wrong = requirements.filter((requirement) => !fulfils(labels, requirement));
    return wrong.length === 0 ? [] : [{ name: claim.metadata.name, wrong }];
  });
  return {
    because: [...new Set(missed.flatMap(({ wrong }) => wrong.map(requirementText)))],
    drifts: missed.map(({ name }) => name),
    behavioural,
  };
}

/** The hash treats lists as sets and ignores zero values. */
function hashedPart({ spec: { template } }: NodePool): unknown {
  const { requirements: _, ...spec } = template.spec;
  return withoutEmpty({ metadata: template.metadata ?? {}, spec });
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty).toSorted(byText);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || value === 0 || ['{}', '[]'].includes(JSON.stringify(value));

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

function behaviour({ spec: { template: _, ...rest } }: NodePool): object {
  return rest;
}

function nodeLabels({ status }: NodeClaim, nodes: readonly Node[]): Readonly<Record<string, string>> {
  return nodes.find(({ metadata }) => metadata.name === status?.nodeName)?.metadata.labels ?? {};
}
