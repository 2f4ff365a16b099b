import type { Cluster } from '../../cluster/cluster.ts';
import type { Lease } from '../../cluster/resources.ts';
import { answerWithinSeconds } from '../../cluster/retry-read.ts';
import type { Clock } from '../../host/host.ts';

/** Who requests the lease, where, and by which clock. */
export interface LeaseRequest {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly namespace: string;
  readonly holder: string;
  /** Holders that are known not to renew any more. */
  readonly died?: readonly string[];
  /** Ends the wait for leases that may have expired. */
  readonly signal?: AbortSignal;
}

export const leaseName = 'holdfast';
/**
 * As long as a read is retried, so that a run does not lose its lease while it waits for an API server that is away.
 */
export const leaseSeconds = answerWithinSeconds;

export const leaseAt = ({ namespace }: LeaseRequest) => ({ name: leaseName, namespace });

/** The time now as a MicroTime of coordination.k8s.io. */
export const microTime = (clock: Pick<Clock, 'wallAt'>): string =>
  new Date(clock.wallAt()).toISOString().replace('Z', '000Z');

/**
 * Changes only the version that was read: if the object has another resourceVersion, it rejects with a 409 `ApiError`.
 */
export function changeLease(request: LeaseRequest, { metadata }: Lease, spec: Lease['spec']): Promise<Lease> {
  const { uid, resourceVersion } = metadata;
  const value = { metadata: { uid, resourceVersion }, spec };
  return request.cluster.patch('Lease', leaseAt(request), { type: 'merge', value });
}

/** Whether two reads show the same lease, which nobody has renewed or taken in between. */
export const isSameLease = (one: Lease, other: Lease): boolean =>
  one.metadata.namespace === other.metadata.namespace &&
  one.spec.holderIdentity === other.spec.holderIdentity &&
  one.spec.renewTime === other.spec.renewTime;
