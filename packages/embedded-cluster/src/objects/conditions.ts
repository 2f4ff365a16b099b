import type { Condition } from '../kubernetes/metadata.ts';
import { timestamp } from './timestamps.ts';

/** A condition without the timestamp that `withConditions` sets. */
export type Stated = Pick<Condition, 'type' | 'status'> &
  Partial<Pick<Condition, 'reason' | 'message' | 'observedGeneration'>>;

/**
 * The conditions with the stated ones added or replaced. `lastTransitionTime` changes only when `status` does
 * (Kubernetes API conventions, "Typical status properties"); `lastProbeTime` is kept. `at` is in epoch milliseconds.
 */
export function withConditions(
  conditions: readonly Condition[] | undefined,
  stated: readonly Stated[],
  at: number,
): readonly Condition[] {
  const next = [...(conditions ?? [])];
  for (const condition of stated) {
    const index = next.findIndex(({ type }) => type === condition.type);
    const before = next[index];
    const lastTransitionTime =
      before?.status === condition.status ? (before.lastTransitionTime ?? timestamp(at)) : timestamp(at);
    const probed = before?.lastProbeTime === undefined ? {} : { lastProbeTime: before.lastProbeTime };
    next[index === -1 ? next.length : index] = { ...condition, ...probed, lastTransitionTime };
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
