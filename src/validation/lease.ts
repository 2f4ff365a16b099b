import { ApiError, type Cluster } from '../cluster/cluster.ts';
import type { Lease } from '../cluster/resources.ts';
import { OperationError } from '../host/errors.ts';
import type { Clock } from '../host/host.ts';
import { answerWithinSeconds, untilAnswered } from './until-answered.ts';

/** The lock against two runs at once: a Lease `holdfast` in the application's namespace, while this run goes on. */
export interface HeldLease {
  /** Gives it back; says nothing when it is gone already, never throws and does not wait for long: an unreleased lease expires. */
  release(): Promise<void>;
}
/** Another run's lease that has not expired. */
export interface OtherHolder {
  readonly holder: string;
  readonly namespace: string;
  readonly renewedAt: string;
}

export const leaseName = 'holdfast';
/** As long as an undo asks for an API server that is away: a run outlives that without losing its lock. */
const leaseSeconds = 60;
/** Four chances before it expires. client-go renews a lease of 15 s every 2 s; this one guards a run of an hour. */
const renewEverySeconds = 15;
/** The pre-check lets clocks differ by a second; a lease is not taken from a holder that may still renew it. */
const marginSeconds = 2;

export interface Asking {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly namespace: string;
  readonly holder: string;
}

/** The unexpired leases of other holders, in every namespace that we may look into. */
export async function otherHolders({ cluster, clock, namespace, holder }: Asking): Promise<readonly OtherHolder[]> {
  const where = { fieldSelector: `metadata.name=${leaseName}` };
  const leases = await cluster.list('Lease', where).catch((error: unknown) => {
    // Leases of the own namespace are all that the least role may read.
    if (error instanceof ApiError && error.status === 403) return cluster.list('Lease', { ...where, namespace });
    throw error;
  });
  return leases.flatMap((lease) => {
    const { holderIdentity: other = '', renewTime = '' } = lease.spec;
    if (other === '' || other === holder || hasExpired(lease, clock)) return [];
    return [{ holder: other, namespace: lease.metadata.namespace ?? '', renewedAt: renewTime }];
  });
}

/**
 * Takes the lease, over an expired one too, and renews it until it is released. `lost` is called once when another run has
 * it; the other holder comes back instead of a lease when it is not free.
 */
export async function takeLease(
  asking: Asking,
  lost: (error: OperationError) => void,
): Promise<HeldLease | OtherHolder> {
  const [other] = await otherHolders(asking);
  if (other !== undefined) return other;
  const taken = await write(asking);
  if (taken === undefined) return { holder: 'another run', namespace: asking.namespace, renewedAt: '' };
  const ending = new AbortController();
  const renewing = renew(asking, taken, ending.signal, lost);
  renewing.catch(() => undefined);
  return {
    async release() {
      ending.abort();
      const done = new AbortController();
      const given = renewing.then((held) => remove(asking, held)).catch(() => undefined);
      await Promise.race([given, asking.clock.sleep(releaseWithinSeconds, done.signal).catch(() => undefined)]);
      done.abort();
    },
  };
}

/** A sixth of its own life: who waits longer for an API server that hangs gains nothing. */
const releaseWithinSeconds = 10;

/** As often as the lease of a run that may be dead is looked at. */
const lookEverySeconds = 5;

/** Waits until the lease of a run that was killed has expired. False when that run renews it: it is alive. */
export async function hasDied(asking: Asking, holder: string): Promise<boolean> {
  const { cluster, clock } = asking;
  const read = () => cluster.get('Lease', at(asking));
  const first = await read();
  for (let lease = first; ; lease = await untilAnswered({ site: { host: { clock } } }, answerWithinSeconds, read)) {
    if (lease?.spec.holderIdentity !== holder || hasExpired(lease, clock)) return true;
    if (lease.spec.renewTime !== first?.spec.renewTime) return false;
    await clock.sleep(lookEverySeconds);
  }
}

const at = ({ namespace }: Asking) => ({ name: leaseName, namespace });

/** MicroTime, as coordination.k8s.io has it. */
const microTime = (clock: Clock): string => new Date(clock.wallAt()).toISOString().replace('Z', '000Z');

/** Made anew or taken over; undefined when somebody else was quicker. */
async function write(asking: Asking): Promise<Lease | undefined> {
  const { cluster, clock, holder, namespace } = asking;
  const now = microTime(clock);
  const spec = { holderIdentity: holder, leaseDurationSeconds: leaseSeconds, acquireTime: now, renewTime: now };
  const before = await cluster.get('Lease', at(asking));
  try {
    if (before !== undefined) return await change(asking, before, spec);
    const metadata = { name: leaseName, namespace };
    return await cluster.create({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec });
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return undefined;
    throw error;
  }
}

/** Only over the version that was read: a merge patch that names another resourceVersion is a 409. */
function change(asking: Asking, { metadata }: Lease, spec: Lease['spec']): Promise<Lease> {
  const { uid, resourceVersion } = metadata;
  return asking.cluster.patch('Lease', at(asking), {
    type: 'merge',
    value: { metadata: { uid, resourceVersion }, spec },
  });
}

/** Ends with the signal, or when another run has the lease. */
async function renew(
  asking: Asking,
  taken: Lease,
  signal: AbortSignal,
  lost: (error: OperationError) => void,
): Promise<Lease> {
  let held = taken;
  while (await slept(asking.clock, signal)) {
    const renewed = await renewOnce(asking, held);
    if (renewed instanceof OperationError) {
      lost(renewed);
      return held;
    }
    held = renewed;
  }
  return held;
}

/** The lease as it is now; the error when it is another's. An API server that is away is asked again next time. */
async function renewOnce(asking: Asking, held: Lease): Promise<Lease | OperationError> {
  try {
    return await change(asking, held, { renewTime: microTime(asking.clock) });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 404)) return held;
  }
  const now = await asking.cluster.get('Lease', at(asking)).catch(() => held);
  // A renewal whose answer was lost shows as a conflict with ourselves.
  return now?.spec.holderIdentity === asking.holder ? now : theftOf(asking, now);
}

async function slept(clock: Clock, signal: AbortSignal): Promise<boolean> {
  await clock.sleep(renewEverySeconds, signal).catch(() => undefined);
  return !signal.aborted;
}

function theftOf({ namespace }: Asking, now: Lease | undefined): OperationError {
  const cameBack = now === undefined ? 'somebody deleted it' : `${now.spec.holderIdentity} has it now`;
  return new OperationError({ tried: 'Holding', on: `Lease ${namespace}/${leaseName}`, cameBack });
}

async function remove(asking: Asking, { metadata: { uid } }: Lease): Promise<void> {
  const now = await asking.cluster.get('Lease', at(asking));
  if (now?.spec.holderIdentity !== asking.holder) return;
  await asking.cluster.delete('Lease', at(asking), uid === undefined ? {} : { uid });
}

function hasExpired({ spec }: Lease, clock: Clock): boolean {
  const { renewTime = '', leaseDurationSeconds = leaseSeconds } = spec;
  const endsAt = Date.parse(renewTime) + (leaseDurationSeconds + marginSeconds) * 1000;
  return !(endsAt > clock.wallAt());
}
