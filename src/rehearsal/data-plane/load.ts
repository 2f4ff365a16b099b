import type { Clock, Host, LoadPlan } from '../../host/host.ts';
import { type Tally, tally } from '../../host/load/tally.ts';
import type { DataPlane } from './data-plane.ts';
import type { Connection } from './dial.ts';

type Ticking = Pick<Clock, 'wallAt' | 'monotonicSeconds'>;

/** `host.load` of the rehearsal: fulfils the contract of the real host's, over the embedded cluster's request path. */
export function createLoad(clock: Ticking, dataPlane: () => DataPlane): Host['load'] {
  return async (plan, signal) => {
    const counted = tally(plan);
    const startedAt = clock.wallAt();
    const begun = clock.monotonicSeconds();
    let left = plan.requests;
    const take = () => !signal?.aborted && left-- > 0;
    const lanes = Array.from({ length: plan.concurrency }, () => lane(dataPlane(), plan, take, counted));
    await Promise.all(lanes);
    signal?.throwIfAborted();
    return counted.end(startedAt, clock.monotonicSeconds() - begun);
  };
}

/** One request after the other (closed loop), over one connection while it is open. */
async function lane(
  dataPlane: DataPlane,
  { url: text, timeoutSeconds }: LoadPlan,
  take: () => boolean,
  counted: Tally,
): Promise<void> {
  const url = new URL(text);
  let kept: Connection | undefined;
  while (take()) {
    const { response, error, seconds, connection } = await dataPlane.get(url, { timeoutSeconds, kept });
    kept = connection;
    if (response === undefined) counted.failed(error ?? 'reset');
    else counted.answered(response.status, seconds);
  }
}
