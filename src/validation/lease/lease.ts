import { ApiError } from '../../cluster/cluster.ts';
import type { Lease } from '../../cluster/resources.ts';
import type { OperationError } from '../../host/errors.ts';
import { type Asking, changeLease, isSameLease, leaseAt, leaseName, leaseSeconds, microTime } from './lease-object.ts';
import { holderOf, isFresh, leasesOfOthers, type OtherHolder, renewedOf } from './other-holders.ts';
import { renewLease, type Taken } from './renew-lease.ts';

/** The lock against two runs at once: a Lease `holdfast` in the application's namespace, while this run goes on. */
export interface HeldLease {
  /** Gives it back; says nothing when it is gone already, never throws and does not wait for long: an unreleased lease expires. */
  release(): Promise<void>;
}

/**
 * Takes the lease, over an expired one too, and renews it until it is released. Another holder comes back instead when one is alive: at once where
 * its last renewal is plainly of this minute, else when it has renewed. `lost` is called once when the lease is another's, or may be.
 */
export async function takeLease(
  asking: Asking,
  lost: (error: OperationError) => void,
): Promise<HeldLease | OtherHolder> {
  const seen = await leasesOfOthers(asking);
  const others = () => leasesOfOthers(asking);
  const alive = seen.find((lease) => isFresh(lease, asking.clock)) ?? (await renewedOf(asking, seen, others));
  if (alive !== undefined) return holderOf(alive);
  const renewedSeconds = asking.clock.monotonicSeconds();
  const lease = await write(asking, seen);
  if (lease === undefined) return { holder: 'another run', namespace: asking.namespace, renewedAt: '' };
  const rival = (await others()).find((other) => !isOneOf(seen, other) && precedes(other, lease));
  if (rival === undefined) return held(asking, { lease, renewedSeconds }, lost);
  await remove(asking, lease).catch(() => undefined);
  return holderOf(rival);
}

function held(asking: Asking, taken: Taken, lost: (error: OperationError) => void): HeldLease {
  const ending = new AbortController();
  const renewing = renewLease(asking, taken, ending.signal, lost);
  renewing.catch(() => undefined);
  return {
    async release() {
      ending.abort();
      const done = new AbortController();
      const given = renewing.then((lease) => remove(asking, lease)).catch(() => undefined);
      await Promise.race([given, asking.clock.sleep(releaseWithinSeconds, done.signal).catch(() => undefined)]);
      done.abort();
    },
  };
}

/** A sixth of its own life: who waits longer for an API server that hangs gains nothing. */
const releaseWithinSeconds = 10;

/** Made anew, or taken over from one that has expired; undefined when somebody else was quicker. */
async function write(asking: Asking, expired: readonly Lease[]): Promise<Lease | undefined> {
  const { cluster, clock, holder, namespace, died = [] } = asking;
  const now = microTime(clock);
  const spec = { holderIdentity: holder, leaseDurationSeconds: leaseSeconds, acquireTime: now, renewTime: now };
  const before = await cluster.get('Lease', leaseAt(asking));
  const isFree = ['', holder, ...died].includes(before?.spec.holderIdentity ?? '');
  if (before !== undefined && !isFree && !isOneOf(expired, before)) return undefined;
  try {
    if (before !== undefined) return await changeLease(asking, before, spec);
    const metadata = { name: leaseName, namespace };
    return await cluster.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return undefined;
    throw error;
  }
}

const isOneOf = (leases: readonly Lease[], lease: Lease): boolean => leases.some((one) => isSameLease(one, lease));

/**
 * Two that were written at once in two namespaces see each other, and the later one yields: by the server's own order (KEP-5504: resource versions
 * of one kind compare), because two machines' clocks say nothing. One that has been renewed since is older than its version.
 */
function precedes({ metadata, spec }: Lease, own: Lease): boolean {
  const isRenewed = spec.renewTime !== spec.acquireTime;
  return isRenewed || !(Number(metadata.resourceVersion) > Number(own.metadata.resourceVersion));
}

async function remove(asking: Asking, { metadata: { uid } }: Lease): Promise<void> {
  const now = await asking.cluster.get('Lease', leaseAt(asking));
  if (now?.spec.holderIdentity !== asking.holder) return;
  await asking.cluster.delete('Lease', leaseAt(asking), uid === undefined ? {} : { uid });
}
