import type { Condition } from './metadata.ts';
import type { Endpoint, Node, Pod } from './resources.ts';

/** The condition of this type in an object's status. */
export function condition(
  object: { readonly status?: { readonly conditions?: readonly Condition[] } },
  type: string,
): Condition | undefined {
  return object.status?.conditions?.find((candidate) => candidate.type === type);
}

export const isTrue = (object: Parameters<typeof condition>[0], type: string): boolean =>
  condition(object, type)?.status === 'True';

/** Whether the pod takes traffic by the API: Ready, and not terminating. */
export function isReady(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && isTrue(pod, 'Ready');
}

/** Whether the pod has ended; an evicted pod remains in the API until it is garbage-collected. */
export const isFinished = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

/** Unknown counts as ready (discovery.k8s.io/v1). */
export const isEndpointReady = ({ conditions }: Endpoint): boolean => conditions?.ready !== false;

export const isNodeReady = (node: Node): boolean => isTrue(node, 'Ready');

export const isCordoned = (node: Node): boolean => node.spec?.unschedulable === true;

/** Epoch milliseconds of an API timestamp (RFC 3339, whole seconds: every duration made of it is ± 1 s). */
export function instant(timestamp: string | undefined): number | undefined {
  return timestamp === undefined ? undefined : Date.parse(timestamp);
}
