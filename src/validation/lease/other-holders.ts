import { ApiError } from '../../cluster/cluster.ts';
import type { Lease } from '../../cluster/resources.ts';
import { answerWithinSeconds, retryRead } from '../../cluster/retry-read.ts';
import type { Clock } from '../../host/host.ts';
import { type Asking, isSameLease, leaseAt, leaseName, leaseSeconds } from './lease-object.ts';

/** Another run's lease that has not expired. */
export interface OtherHolder {
  readonly holder: string;
  readonly namespace: string;
  readonly renewedAt: string;
}

/** Its holder gives up before (renew-lease.ts); a lease is not taken from one that may still renew it. */
const marginSeconds = 2;
/** As often as the lease of a run that may be dead is looked at. */
const lookEverySeconds = 5;
/** No clock that is wrong by a time zone makes a lease as old as that. */
const longPastSeconds = 86_400;

/**
 * The other holders whose lease was renewed within the minute by this machine's clock, in every namespace that we may look into. A first look:
 * where the clocks differ it may miss one that is alive, and `takeLease` makes sure.
 */
export async function otherHolders(asking: Asking): Promise<readonly OtherHolder[]> {
  const leases = await leasesOfOthers(asking);
  return leases.filter((lease) => isFresh(lease, asking.clock)).map(holderOf);
}

/** Every lease of another holder, whatever its age. */
export async function leasesOfOthers({ cluster, namespace, holder, died = [] }: Asking): Promise<readonly Lease[]> {
  const where = { fieldSelector: `metadata.name=${leaseName}` };
  const leases = await cluster.list('Lease', where).catch((error: unknown) => {
    // Leases of the own namespace are all that the least role may read.
    if (error instanceof ApiError && error.status === 403) return cluster.list('Lease', { ...where, namespace });
    throw error;
  });
  const known = ['', holder, ...died];
  return leases.filter(({ spec: { holderIdentity = '' } }) => !known.includes(holderIdentity));
}

/** Pure. For people. */
export function holderOf({ metadata: { namespace = '' }, spec }: Lease): OtherHolder {
  return { holder: spec.holderIdentity ?? '', namespace, renewedAt: spec.renewTime ?? '' };
}

/** Pure. Renewed within its own life, as far as this machine's clock can tell. */
export function isFresh(lease: Lease, clock: Clock): boolean {
  return Math.abs(ageSeconds(lease, clock)) < lifeSeconds(lease);
}

/**
 * Watches leases until all have expired: unchanged for as long as they last by this machine's own monotonic clock, as client-go's leader
 * election counts, because their times are another machine's. The one that is renewed or new meanwhile comes back.
 */
export async function renewedOf(
  { clock, signal }: Asking,
  first: readonly Lease[],
  read: () => Promise<readonly Lease[]>,
): Promise<Lease | undefined> {
  const endsAt = clock.monotonicSeconds() + Math.max(...first.map(lifeSeconds));
  const waiting = { site: { host: { clock } }, signal };
  for (let now = first; ; now = await retryRead(waiting, answerWithinSeconds, read)) {
    const renewed = now.find((lease) => !first.some((one) => isSameLease(one, lease)));
    if (renewed !== undefined || now.every((lease) => ageSeconds(lease, clock) > longPastSeconds)) return renewed;
    if (clock.monotonicSeconds() >= endsAt) return undefined;
    await clock.sleep(lookEverySeconds, signal);
  }
}

/** Waits until the lease of a run that was killed has expired. False when that run renews it: it is alive. */
export async function hasDied(asking: Asking, holder: string): Promise<boolean> {
  const read = async () => {
    const lease = await asking.cluster.get('Lease', leaseAt(asking));
    return lease?.spec.holderIdentity === holder ? [lease] : [];
  };
  return (await renewedOf(asking, await read(), read)) === undefined;
}

function lifeSeconds({ spec: { leaseDurationSeconds = leaseSeconds } }: Lease): number {
  return leaseDurationSeconds + marginSeconds;
}

/** A lease that says no time is as old as can be. */
function ageSeconds({ spec: { renewTime = '' } }: Lease, clock: Clock): number {
  const renewedAt = Date.parse(renewTime);
  return Number.isNaN(renewedAt) ? Number.POSITIVE_INFINITY : (clock.wallAt() - renewedAt) / 1000;
}
