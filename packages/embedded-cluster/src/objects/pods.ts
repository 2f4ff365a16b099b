import type { Pod } from '../kubernetes/resources.ts';
import type { Container, PodSpec } from '../kubernetes/specs.ts';
import { isTrue } from './conditions.ts';

export const isTerminating = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined;

/** Whether the phase is Succeeded or Failed: the containers will never run again. */
export const isFinished = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/**
 * Whether the pod counts as a replica: neither finished nor terminating (kubernetes, controller_utils.go, IsPodActive).
 */
export const isActive = (pod: Pod): boolean => !isFinished(pod) && !isTerminating(pod);

/** `terminationGracePeriodSeconds` of a pod that sets none (core/v1, DefaultTerminationGracePeriodSeconds). */
export const defaultGraceSeconds = 30;

/** Whether it is an init container that restarts, and so runs beside the ordinary ones (KEP-753). */
export const isSidecar = ({ restartPolicy }: Container & { readonly restartPolicy?: string }): boolean =>
  restartPolicy === 'Always';

/** In the order in which they start. */
export const sidecarsOf = ({ initContainers = [] }: PodSpec): readonly Container[] => initContainers.filter(isSidecar);

/** The pod without its node, to find out which other nodes would fit it. */
export function unbound(pod: Pod): Pod {
  const { nodeName: _, ...spec } = pod.spec;
  return { ...pod, spec };
}

/** Whether the condition Ready is true, also on a terminating pod. */
export const isPodReady = (pod: Pod): boolean => isTrue(pod, 'Ready');
