import type { NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import { fulfils, requirementText } from '../../cluster/requirements.ts';
import type { Node } from '../../cluster/resources.ts';
import { differences } from './differences.ts';

/** What changing a NodePool would do to the nodes that are there. */
export interface PoolChange {
  /** Fields that are part of the hash, or requirements that a node misses: these drift nodes. */
  readonly because: readonly string[];
  /** The NodeClaims that would be replaced. */
  readonly drifts: readonly string[];
  /** Fields that change how the autoscaler acts, and no node (facts 3.3). */
  readonly behavioural: readonly string[];
}

/**
 * Pure. Karpenter's own rule (nodepool.go, Hash; drift.go): all of `spec.template` but its requirements drifts every claim of the
 * pool, a requirement those whose node no longer fits.
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
  const { requirements } = planned.spec.template.spec;
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

/** The hash is made with slices as sets and zero values ignored. */
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
