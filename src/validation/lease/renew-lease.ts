import { ApiError } from '../../cluster/cluster.ts';
import type { Lease } from '../../cluster/resources.ts';
import { OperationError } from '../../host/errors.ts';
import type { Clock } from '../../host/host.ts';
import { type Asking, changeLease, leaseAt, leaseName, leaseSeconds, microTime } from './lease-object.ts';

/** Four times in the life of a lease: an API server that is away for 40 s costs none. */
const renewEverySeconds = 15;
/** client-go's RetryPeriod. */
const retryAfterSeconds = 2;

/** A lease of our own, and when its last renewal was asked for: monotonic seconds. */
export interface Taken {
  readonly lease: Lease;
  readonly renewedSeconds: number;
}
interface Held {
  lease: Lease;
  renewedSeconds: number;
  /** Why the last renewal failed; undefined when it did not. */
  trouble: string | undefined;
}

/**
 * Renews the lease until the signal is aborted, and gives it back as it is then. `lost` is called once: when another run has it, or when it could
 * not be renewed for as long as it lasts, so that another run may take it. It is renewed all the same then, while nobody has.
 */
export async function renewLease(
  asking: Asking,
  taken: Taken,
  signal: AbortSignal,
  lost: (error: OperationError) => void,
): Promise<Lease> {
  const held: Held = { ...taken, trouble: undefined };
  let isLost = false;
  const lose = (reason: string): void => {
    if (!isLost) lost(new OperationError({ tried: 'Holding', on: `Lease ${asking.namespace}/${leaseName}`, reason }));
    isLost = true;
  };
  void expiry(asking.clock, held, signal).then((reason) => reason && lose(reason));
  while (await slept(asking.clock, held.trouble === undefined ? renewEverySeconds : retryAfterSeconds, signal)) {
    const thief = await renewOnce(asking, held);
    if (thief === undefined) continue;
    lose(thief);
    break;
  }
  return held.lease;
}

/** Why it counts as expired, once nobody has renewed it for as long as it lasts, be it refused or not answered; nothing when the signal came first. */
async function expiry(clock: Clock, held: Held, signal: AbortSignal): Promise<string | undefined> {
  for (;;) {
    const left = held.renewedSeconds + leaseSeconds - clock.monotonicSeconds();
    if (left <= 0) return `it could not be renewed for ${leaseSeconds} s: ${held.trouble ?? 'no answer'}`;
    if (!(await slept(clock, left, signal))) return undefined;
  }
}

/** Who has it instead; undefined when it was renewed, or nobody could say. */
async function renewOnce(asking: Asking, held: Held): Promise<string | undefined> {
  const askedSeconds = asking.clock.monotonicSeconds();
  try {
    const now = await heldNow(asking, held.lease);
    if (typeof now === 'string') return now;
    Object.assign(held, { lease: now, renewedSeconds: askedSeconds, trouble: undefined });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    held.trouble = error.failure.reason;
  }
  return undefined;
}

/** The lease, renewed; or who has it. */
async function heldNow(asking: Asking, lease: Lease): Promise<Lease | string> {
  const renewed = { renewTime: microTime(asking.clock) };
  try {
    return await changeLease(asking, lease, renewed);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 404)) throw error;
  }
  const now = await asking.cluster.get('Lease', leaseAt(asking));
  if (now === undefined) return 'somebody deleted it';
  // A renewal whose answer was lost shows as a conflict with ourselves.
  return now.spec.holderIdentity === asking.holder
    ? changeLease(asking, now, renewed)
    : `${now.spec.holderIdentity} has it now`;
}

async function slept(clock: Clock, seconds: number, signal: AbortSignal): Promise<boolean> {
  await clock.sleep(seconds, signal).catch(() => undefined);
  return !signal.aborted;
}
