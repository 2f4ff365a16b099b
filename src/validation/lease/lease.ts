import { ApiError } from '../../cluster/cluster.ts';
import type { Lease } from '../../cluster/resources.ts';
import type { OperationError } from '../../host/errors.ts';
import {
  changeLease,
  isSameLease,
  type LeaseRequest,
  leaseAt,
  leaseName,
  leaseSeconds,
  microTime,
} from './lease-object.ts';
import { holderOf, isFresh, leasesOfOthers, type OtherHolder, renewedOf } from './other-holders.ts';
import { renewLease, type Taken } from './renew-lease.ts';

/** A Lease `holdfast` in the application's namespace that this run holds: it keeps a second run from starting. */
export interface HeldLease {
  /**
   * Deletes the lease if this run still holds it. Never rejects, and takes at most 10 s: a lease that is not released
   * expires.
   */
  release(): Promise<void>;
}

/**
 * Takes the lease, also from an expired holder, and renews it until it is released. Returns the other holder instead if
 * one is alive: at once if its last renewal is within its lease duration, otherwise when it has renewed. `onLost` is
 * called once when another run holds the lease, or may hold it.
 */
export async function takeLease(
  request: LeaseRequest,
  onLost: (error: OperationError) => void,
): Promise<HeldLease | OtherHolder> {
  const leases = await leasesOfOthers(request);
  const others = () => leasesOfOthers(request);
  const alive = leases.find((lease) => isFresh(lease, request.clock)) ?? (await renewedOf(request, leases, others));
  if (alive !== undefined) return holderOf(alive);
  const renewedSeconds = request.clock.monotonicSeconds();
  const lease = await write(request, leases);
  if (lease === undefined) return { holder: 'another run', namespace: request.namespace, renewedAt: '' };
  const rival = (await others()).find((other) => !isOneOf(leases, other) && precedes(other, lease));
  if (rival === undefined) return held(request, { lease, renewedSeconds }, onLost);
  await remove(request, lease).catch(() => undefined);
  return holderOf(rival);
}

function held(request: LeaseRequest, taken: Taken, onLost: (error: OperationError) => void): HeldLease {
  const ending = new AbortController();
  const renewing = renewLease(request, taken, ending.signal, onLost);
  renewing.catch(() => undefined);
  return {
    async release() {
      ending.abort();
      const done = new AbortController();
      const released = renewing.then((lease) => remove(request, lease)).catch(() => undefined);
      await Promise.race([released, request.clock.sleep(releaseWithinSeconds, done.signal).catch(() => undefined)]);
      done.abort();
    },
  };
}

/**
 * A sixth of the lease duration: to wait longer for an API server that hangs gains nothing, because the lease expires.
 */
const releaseWithinSeconds = 10;

/** Creates the lease, or takes it over from an expired holder; undefined if somebody else was faster. */
async function write(request: LeaseRequest, expired: readonly Lease[]): Promise<Lease | undefined> {
  const { cluster, clock, holder, namespace, died = [] } = request;
  const now = microTime(clock);
  const spec = { holderIdentity: holder, leaseDurationSeconds: leaseSeconds, acquireTime: now, renewTime: now };
  const before = await cluster.get('Lease', leaseAt(request));
  const isFree = ['', holder, ...died].includes(before?.spec.holderIdentity ?? '');
  if (before !== undefined && !isFree && !isOneOf(expired, before)) return undefined;
  try {
    if (before !== undefined) return await changeLease(request, before, spec);
    const metadata = { name: leaseName, namespace };
    return await cluster.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return undefined;
    throw error;
  }
}

const isOneOf = (leases: readonly Lease[], lease: Lease): boolean => leases.some((one) => isSameLease(one, lease));

/**
 * Whether the other lease was written before the own one. Of two that are written at the same time in two namespaces
 * the later one yields: by resource version, which compares within a kind (KEP-5504), because the clocks of two
 * machines may differ. A lease that has been renewed was written before its resource version.
 */
function precedes({ metadata, spec }: Lease, own: Lease): boolean {
  const isRenewed = spec.renewTime !== spec.acquireTime;
  return isRenewed || !(Number(metadata.resourceVersion) > Number(own.metadata.resourceVersion));
}

async function remove(request: LeaseRequest, { metadata: { uid } }: Lease): Promise<void> {
  const now = await request.cluster.get('Lease', leaseAt(request));
  if (now?.spec.holderIdentity !== request.holder) return;
  await request.cluster.delete('Lease', leaseAt(request), uid === undefined ? {} : { uid });
}
