import { percentilesOf, rowsOf } from '../histogram.ts';
import type { Histogram, LoadError, LoadPlan, LoadResult, LoadTold } from '../load-plan.ts';
import { total } from '../tally.ts';

/** What another program reported about a load. */
export interface GeneratorCounts {
  readonly statuses: Readonly<Record<string, number>>;
  readonly errors: Readonly<Partial<Record<LoadError, number>>>;
  /** Null where it tells no time of single requests, nor a histogram of ours. */
  readonly histogram: Histogram | null;
  /** Null where it does not tell these either. */
  readonly percentiles: LoadResult['percentiles'];
  /** Absent: when the program was started, and how long it ran. */
  readonly startedAt?: number;
  readonly seconds?: number;
}

/** The result of that load; requests that the program did not report were not sent. */
export function toldOf(
  plan: LoadPlan,
  counts: GeneratorCounts,
  ran: Pick<LoadResult, 'startedAt' | 'seconds'>,
): LoadTold {
  const { statuses, errors, histogram, percentiles, startedAt = ran.startedAt, seconds = ran.seconds } = counts;
  const unsent = plan.requests - total(statuses) - total(errors as Record<string, number>);
  return {
    startedAt,
    seconds,
    statuses,
    errors,
    ...(unsent === 0 ? {} : { unsent }),
    latency: histogram === null ? [] : rowsOf(histogram),
    percentiles: histogram === null ? percentiles : percentilesOf(histogram),
    histogram,
  };
}

/** Adds one to the count of that key. */
export const addTo = <K extends string | number>(counts: Partial<Record<K, number>>, key: K, more = 1): void => {
  counts[key] = (counts[key] ?? 0) + more;
};

/** The kind of failure that a message of Go, of Rust's hyper or of the system tells; `other` where it tells none. */
export function errorIn(message: string): LoadError {
  return kinds.find(([pattern]) => pattern.test(message))?.[1] ?? 'other';
}

const kinds: readonly (readonly [RegExp, LoadError])[] = [
  [/no such host|dns|failed to lookup|name resolution|server misbehaving/i, 'dns'],
  [/too many open files|cannot assign requested address|address not available|no buffer space/i, 'client'],
  [/connection refused/i, 'refused'],
  [/tls|x509|certificate|handshake/i, 'tls'],
  [/dial.*timeout|connect.*timed? ?out/i, 'connect-timeout'],
  [/timeout|timed out|deadline exceeded/i, 'timeout'],
  [/connection reset|broken pipe/i, 'reset'],
  [/EOF|connection closed|server closed|incomplete message/i, 'closed'],
  [/malformed|invalid HTTP|protocol/i, 'protocol'],
];
