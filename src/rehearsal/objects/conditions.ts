import type { Condition } from '../../cluster/metadata.ts';
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

const none: readonly Condition[] = [];

type WithConditions = { readonly status?: { readonly conditions?: readonly Condition[] } };

export function conditionOf({ status }: WithConditions, type: string): Condition | undefined {
  for (const condition of status?.conditions ?? none) if (condition.type === type) return condition;
  return undefined;
}

export const isTrue = (object: WithConditions, type: string): boolean => conditionOf(object, type)?.status === 'True';
