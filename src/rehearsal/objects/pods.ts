import type { Pod } from '../../cluster/resources.ts';
import { isTrue } from './conditions.ts';

export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;

/** Succeeded or Failed: its containers will never run again. */
export const isFinished = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** Counts as a replica: neither finished nor on its way out (controller_utils.go, IsPodActive). */
export const isActive = (pod: Pod): boolean => !isFinished(pod) && !isTerminating(pod);

/** The pod as it would be if it had no node yet: for asking where else it could go. */
export function unbound(pod: Pod): Pod {
  const { nodeName: _, ...spec } = pod.spec;
  return { ...pod, spec };
}

/** Its Ready condition, whatever happens to it. */
export const isPodReady = (pod: Pod): boolean => isTrue(pod, 'Ready');
