import type { Connection, EmbeddedCluster, Exchange } from '@holdfast/embedded-cluster';
import type { Clock, Host, LoadPlan } from '../host/host.ts';
import { paceOf } from '../host/load/pace.ts';
import { type Tally, tally } from '../host/load/tally.ts';

type Visitor = Pick<EmbeddedCluster, 'get'>;
type Ticking = Pick<Clock, 'wallAt' | 'monotonicSeconds' | 'sleep'>;

/** `host.load` of the rehearsal: fulfils the contract of the real host's, over the embedded cluster's request path. */
export function createLoad(clock: Ticking, visitor: Visitor): Host['load'] {
  return async (plan, signal, end) => {
    const counted = tally(plan);
    const startedAt = clock.wallAt();
    const begun = clock.monotonicSeconds();
    const pace = paceOf(plan);
    const stopped = () => signal?.aborted === true || end?.aborted === true;
    const take = () => (stopped() ? undefined : pace.next(clock.monotonicSeconds() - begun));
    const shared: Shared = { clock, visitor, take, stopped, counted };
    await Promise.all(Array.from({ length: Math.min(plan.concurrency, plan.requests) }, () => lane(shared, plan)));
    signal?.throwIfAborted();
    return counted.end(startedAt, clock.monotonicSeconds() - begun);
  };
}

interface Shared {
  readonly clock: Ticking;
  readonly visitor: Visitor;
  readonly take: () => number | undefined;
  readonly stopped: () => boolean;
  readonly counted: Tally;
}

/** One request after the other, over one connection while it is open. */
async function lane(
  { clock, visitor, take, stopped, counted }: Shared,
  { url: text, timeoutSeconds }: LoadPlan,
): Promise<void> {
  const url = new URL(text);
  let kept: Connection | undefined;
  for (let waitSeconds = take(); waitSeconds !== undefined; waitSeconds = take()) {
    if (waitSeconds > 0) await clock.sleep(waitSeconds);
    if (stopped()) return;
    const exchange = await visitor.get(url, { timeoutSeconds, kept });
    if (stopped()) return;
    kept = exchange.connection;
    count(counted, exchange);
  }
}

function count(counted: Tally, { response, error = 'reset', seconds }: Exchange): void {
  if (response === undefined) counted.failed(error);
  else counted.answered(response.status, seconds);
}
