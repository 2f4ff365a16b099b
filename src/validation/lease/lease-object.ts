import type { Cluster } from '../../cluster/cluster.ts';
import type { Lease } from '../../cluster/resources.ts';
import type { Clock } from '../../host/host.ts';

/** Who asks for the lease, where, and by which clock. */
export interface Asking {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly namespace: string;
  readonly holder: string;
  /** Holders of whom it is known already that they do not renew any more. */
  readonly died?: readonly string[];
  /** Ends the watching of leases that may have expired. */
  readonly signal?: AbortSignal;
}

export const leaseName = 'holdfast';
/** As long as an undo asks for an API server that is away: a run outlives that without losing its lock. */
export const leaseSeconds = 60;

export const leaseAt = ({ namespace }: Asking) => ({ name: leaseName, namespace });

/** MicroTime, as coordination.k8s.io has it. */
export const microTime = (clock: Clock): string => new Date(clock.wallAt()).toISOString().replace('Z', '000Z');

/** Only over the version that was read: a merge patch that names another resourceVersion is a 409 `ApiError`. */
export function changeLease(asking: Asking, { metadata }: Lease, spec: Lease['spec']): Promise<Lease> {
  const { uid, resourceVersion } = metadata;
  const value = { metadata: { uid, resourceVersion }, spec };
  return asking.cluster.patch('Lease', leaseAt(asking), { type: 'merge', value });
}

/** Pure. Whether nobody has renewed it or taken it since. */
export const isSameLease = (one: Lease, other: Lease): boolean =>
  one.metadata.namespace === other.metadata.namespace &&
  one.spec.holderIdentity === other.spec.holderIdentity &&
  one.spec.renewTime === other.spec.renewTime;
