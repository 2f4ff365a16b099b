import { OperationError } from '../host/errors.ts';
import type { Clock, HttpRequest } from '../host/host.ts';
import type { WireHabits } from './setup/setup.ts';

/** Time as the prober's machine lives it: while that machine stands still, nothing on it wakes. */
export function stallingClock<C extends Clock>(clock: C, { stallSeconds, stallPeriodSeconds }: WireHabits): C {
  if (stallSeconds === 0) return clock;
  const wakesAfter = (seconds: number) => {
    const at = clock.monotonicSeconds() + seconds;
    const intoPeriod = at % stallPeriodSeconds;
    return intoPeriod < stallSeconds ? seconds + stallSeconds - intoPeriod : seconds;
  };
  return { ...clock, sleep: (seconds: number, signal?: AbortSignal) => clock.sleep(wakesAfter(seconds), signal) };
}

/** Whether the API server can still be reached: throws as a refused connection does when it cannot. */
export function apiReach(
  clock: Pick<Clock, 'monotonicSeconds'>,
  { apiLostAfterSeconds }: WireHabits,
): (request: HttpRequest) => void {
  let lostFrom = Number.POSITIVE_INFINITY;
  return (request) => {
    const now = clock.monotonicSeconds();
    if (now >= lostFrom) throw new OperationError({ tried: request.method, on: request.url, reason: 'ECONNREFUSED' });
    if (apiLostAfterSeconds !== undefined && disrupts(request))
      lostFrom = Math.min(lostFrom, now + apiLostAfterSeconds);
  };
}

/** A change of nodes, claims, pools or scale that is more than an apply: what a run has to take back. */
function disrupts({ method, url, headers = {} }: HttpRequest): boolean {
  const isApply = Object.values(headers).some((value) => value.includes('apply-patch'));
  return (
    method === 'PATCH' &&
    !isApply &&
    /\/(nodes|nodeclaims|nodepools|scale)(\/|\?|$)/.test(url) &&
    !url.includes('dryRun')
  );
}
