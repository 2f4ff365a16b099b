import { ApiError } from '../../cluster/cluster.ts';
import type { Lease } from '../../cluster/resources.ts';
import { answerWithinSeconds, retryRead } from '../../cluster/retry-read.ts';
import type { Clock } from '../../host/host.ts';
import { oneLine } from '../../host/visible.ts';
import { isSameLease, type LeaseRequest, leaseAt, leaseName, leaseSeconds } from './lease-object.ts';

/** Another run's lease that has not expired. */
export interface OtherHolder {
  readonly holder: string;
  readonly namespace: string;
  readonly renewedAt: string;
}

/** A holder gives its lease up when it expires (renew-lease.ts); it is taken only some time after that. */
const marginSeconds = 2;
/** Between two reads of a lease that may have expired. */
const readEverySeconds = 5;
/** A clock that is wrong by a time zone cannot make a lease this old. */
const longPastSeconds = 86_400;

/**
 * The other holders whose lease has not expired by this machine's clock, in every namespace that the caller may read.
 * If the clocks differ it may miss a holder that is alive; `takeLease` makes sure.
 */
export async function otherHolders(request: LeaseRequest): Promise<readonly OtherHolder[]> {
  const leases = await leasesOfOthers(request);
  return leases.filter((lease) => isFresh(lease, request.clock)).map(holderOf);
}

/** Every lease of another holder, expired or not. */
export async function leasesOfOthers({
  cluster,
  namespace,
  holder,
  died = [],
}: LeaseRequest): Promise<readonly Lease[]> {
  const where = { fieldSelector: `metadata.name=${leaseName}` };
  const leases = await cluster.list('Lease', where).catch((error: unknown) => {
    // The least role may read only the leases of its own namespace.
    if (error instanceof ApiError && error.status === 403) return cluster.list('Lease', { ...where, namespace });
    throw error;
  });
  const known = ['', holder, ...died];
  return leases.filter(({ spec: { holderIdentity = '' } }) => !known.includes(holderIdentity));
}

/** The holder of a lease, for people. */
export function holderOf({ metadata: { namespace = '' }, spec }: Lease): OtherHolder {
  return { holder: oneLine(spec.holderIdentity ?? ''), namespace, renewedAt: spec.renewTime ?? '' };
}

/** Whether it was renewed within its duration, as far as this machine's clock can tell. */
export function isFresh(lease: Lease, clock: Clock): boolean {
  return Math.abs(ageSeconds(lease, clock)) < expiresAfterSeconds(lease);
}

/**
 * Reads leases again and again until all have expired: unchanged for their whole duration by this machine's monotonic
 * clock, as in client-go's leader election, because their times are those of another machine. Returns the first one
 * that is new or renewed; undefined when all have expired.
 */
export async function renewedOf(
  { clock, signal }: LeaseRequest,
  first: readonly Lease[],
  read: () => Promise<readonly Lease[]>,
): Promise<Lease | undefined> {
  const endsAt = clock.monotonicSeconds() + Math.max(...first.map(expiresAfterSeconds));
  const waiting = { site: { host: { clock } }, signal };
  for (let now = first; ; now = await retryRead(waiting, answerWithinSeconds, read)) {
    const renewed = now.find((lease) => !first.some((one) => isSameLease(one, lease)));
    if (renewed !== undefined || now.every((lease) => ageSeconds(lease, clock) > longPastSeconds)) return renewed;
    if (clock.monotonicSeconds() >= endsAt) return undefined;
    await clock.sleep(readEverySeconds, signal);
  }
}

/** Waits until the lease of a run that may have been killed has expired: true. False as soon as the run renews it. */
export async function hasDied(request: LeaseRequest, holder: string): Promise<boolean> {
  const read = async () => {
    const lease = await request.cluster.get('Lease', leaseAt(request));
    return lease?.spec.holderIdentity === holder ? [lease] : [];
  };
  return (await renewedOf(request, await read(), read)) === undefined;
}

function expiresAfterSeconds({ spec: { leaseDurationSeconds = leaseSeconds } }: Lease): number {
  return leaseDurationSeconds + marginSeconds;
}

/** Infinite for a lease without a time. */
function ageSeconds({ spec: { renewTime = '' } }: Lease, clock: Clock): number {
  const renewedAt = Date.parse(renewTime);
  return Number.isNaN(renewedAt) ? Number.POSITIVE_INFINITY : (clock.wallAt() - renewedAt) / 1000;
}
