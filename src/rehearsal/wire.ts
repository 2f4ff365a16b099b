import { OperationError } from '../host/errors.ts';
import type { Clock, HttpRequest } from '../host/host.ts';
import type { WireFaults } from './defects.ts';

/** The clock of a prober's machine that stalls: a sleep that would end during a stall ends after it. */
export function stallingClock<C extends Clock>(clock: C, { stallSeconds, stallPeriodSeconds }: WireFaults): C {
  if (stallSeconds === 0) return clock;
  const wakesAfter = (seconds: number) => {
    const at = clock.monotonicSeconds() + seconds;
    const intoPeriod = at % stallPeriodSeconds;
    return intoPeriod < stallSeconds ? seconds + stallSeconds - intoPeriod : seconds;
  };
  return { ...clock, sleep: (seconds: number, signal?: AbortSignal) => clock.sleep(wakesAfter(seconds), signal) };
}

/**
 * A check to make before each request to the API server. It throws the `OperationError` of a refused connection from
 * `apiLostAfterSeconds` after the first disruptive request on.
 */
export function apiReachability(
  clock: Pick<Clock, 'monotonicSeconds'>,
  { apiLostAfterSeconds }: WireFaults,
): (request: HttpRequest) => void {
  let lostFrom = Number.POSITIVE_INFINITY;
  return (request) => {
    const now = clock.monotonicSeconds();
    if (now >= lostFrom) throw new OperationError({ tried: request.method, on: request.url, reason: 'ECONNREFUSED' });
    if (apiLostAfterSeconds !== undefined && isDisruptive(request))
      lostFrom = Math.min(lostFrom, now + apiLostAfterSeconds);
  };
}

/**
 * Whether the request patches a Node, NodeClaim, NodePool or scale, other than by server-side apply: a run has to undo
 * that.
 */
function isDisruptive({ method, url, headers = {} }: HttpRequest): boolean {
  const isApply = Object.values(headers).some((value) => value.includes('apply-patch'));
  return (
    method === 'PATCH' &&
    !isApply &&
    /\/(nodes|nodeclaims|nodepools|scale)(\/|\?|$)/.test(url) &&
    !url.includes('dryRun')
  );
}
