import { ApiError } from '../../cluster/cluster.ts';
import type { Lease } from '../../cluster/resources.ts';
import { OperationError } from '../../host/errors.ts';
import type { Clock } from '../../host/host.ts';
import { changeLease, type LeaseRequest, leaseAt, leaseName, leaseSeconds, microTime } from './lease-object.ts';

/** Four times in the duration of a lease, so that no lease is lost while the API server is away for 40 s. */
const renewEverySeconds = 15;
/** client-go's RetryPeriod. */
const retryAfterSeconds = 2;

/** The own lease, and when its last renewal was requested: monotonic seconds. */
export interface Taken {
  readonly lease: Lease;
  readonly renewedSeconds: number;
}
interface Held {
  lease: Lease;
  renewedSeconds: number;
  /** Why the last renewal failed; undefined if it did not. */
  trouble: string | undefined;
}

/**
 * Renews the lease until the signal is aborted, and returns it as it is then. `onLost` is called once: when another run
 * has the lease, or when it could not be renewed for its whole duration, so that another run may take it. In the second
 * case it is still renewed, until another run has it.
 */
export async function renewLease(
  request: LeaseRequest,
  taken: Taken,
  signal: AbortSignal,
  onLost: (error: OperationError) => void,
): Promise<Lease> {
  const held: Held = { ...taken, trouble: undefined };
  let isLost = false;
  const lose = (reason: string): void => {
    if (isLost) return;
    isLost = true;
    onLost(new OperationError({ tried: 'Holding', on: `Lease ${request.namespace}/${leaseName}`, reason }));
  };
  void expiry(request.clock, held, signal).then((reason) => reason && lose(reason));
  while (await slept(request.clock, held.trouble === undefined ? renewEverySeconds : retryAfterSeconds, signal)) {
    const reason = await renewOnce(request, held);
    if (reason === undefined) continue;
    lose(reason);
    break;
  }
  return held.lease;
}

/** Why it has expired, once no renewal succeeded for its whole duration; undefined when the signal is aborted first. */
async function expiry(clock: Clock, held: Held, signal: AbortSignal): Promise<string | undefined> {
  for (;;) {
    const left = held.renewedSeconds + leaseSeconds - clock.monotonicSeconds();
    if (left <= 0) return `it could not be renewed for ${leaseSeconds} s: ${held.trouble ?? 'no answer'}`;
    if (!(await slept(clock, left, signal))) return undefined;
  }
}

/** Why the lease is lost; undefined if it was renewed, or if the API server did not answer. */
async function renewOnce(request: LeaseRequest, held: Held): Promise<string | undefined> {
  const askedSeconds = request.clock.monotonicSeconds();
  try {
    const now = await heldNow(request, held.lease);
    if (typeof now === 'string') return now;
    Object.assign(held, { lease: now, renewedSeconds: askedSeconds, trouble: undefined });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    held.trouble = error.failure.reason;
  }
  return undefined;
}

/** The renewed lease, or why it is lost. */
async function heldNow(request: LeaseRequest, lease: Lease): Promise<Lease | string> {
  const renewed = { renewTime: microTime(request.clock) };
  try {
    return await changeLease(request, lease, renewed);
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 404)) throw error;
  }
  const now = await request.cluster.get('Lease', leaseAt(request));
  if (now === undefined) return 'somebody deleted it';
  // A renewal whose response was lost shows as a conflict with the own change.
  return now.spec.holderIdentity === request.holder
    ? changeLease(request, now, renewed)
    : `${now.spec.holderIdentity} has it now`;
}

async function slept(clock: Clock, seconds: number, signal: AbortSignal): Promise<boolean> {
  await clock.sleep(seconds, signal).catch(() => undefined);
  return !signal.aborted;
}
