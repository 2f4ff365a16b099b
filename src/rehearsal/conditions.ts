import type { Condition } from '../cluster/metadata.ts';
import { timestamp } from './timestamps.ts';

/** What of a condition its owner states; the rest follows from when it changed. */
export type Stated = Pick<Condition, 'type' | 'status'> &
  Partial<Pick<Condition, 'reason' | 'message' | 'observedGeneration'>>;

/** The conditions with these in their places: `lastTransitionTime` moves only when `status` does (API conventions). */
export function withConditions(
  conditions: readonly Condition[] | undefined,
  stated: readonly Stated[],
  at: number,
): readonly Condition[] {
  const next = [...(conditions ?? [])];
  for (const one of stated) {
    const place = next.findIndex(({ type }) => type === one.type);
    const before = next[place];
    const lastTransitionTime =
      before?.status === one.status ? (before.lastTransitionTime ?? timestamp(at)) : timestamp(at);
    next[place === -1 ? next.length : place] = { ...one, lastTransitionTime };
  }
  return next;
}

type WithConditions = { readonly status?: { readonly conditions?: readonly Condition[] } };

export const conditionOf = (object: WithConditions, type: string): Condition | undefined =>
  object.status?.conditions?.find((condition) => condition.type === type);

export const isTrue = (object: WithConditions, type: string): boolean => conditionOf(object, type)?.status === 'True';
