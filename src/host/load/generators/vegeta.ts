import { stepOf } from '../histogram.ts';
import type { LoadPlan } from '../load-plan.ts';
import { addTo, errorIn, type GeneratorCounts } from './told.ts';

/**
 * vegeta makes as many requests as there are lines of targets, which it reads one by one. Its HTTP client makes a GET
 * again whose kept connection was reset (Go, net/http, Transport): such a failure it does not tell.
 */
export function vegetaAttack({ concurrency, timeoutSeconds, rate }: LoadPlan, targets: string, results: string) {
  return [
    'vegeta',
    'attack',
    '-lazy',
    `-targets=${targets}`,
    `-output=${results}`,
    `-rate=${rate === undefined ? '0' : `${Math.max(1, Math.round((60 * rate.perSecond) / rate.every))}/1m`}`,
    `-workers=${concurrency}`,
    `-max-workers=${concurrency}`,
    `-connections=${concurrency}`,
    `-timeout=${timeoutSeconds}s`,
    '-redirects=-1',
    '-max-body=0',
  ] as const;
}

/**
 * Each result as a line of JSON: `vegeta report` has no count of each kind of error, and times of failures among the
 * others.
 */
export const vegetaEncode = (results: string, lines: string) =>
  ['vegeta', 'encode', '-to=json', `-output=${lines}`, results] as const;

export const vegetaTargets = ({ url, requests }: LoadPlan): string => `GET ${url}\n`.repeat(requests);

interface Result {
  readonly code: number;
  readonly timestamp: string;
  /** Nanoseconds. */
  readonly latency: number;
  readonly error: string;
}

/** At the end of its targets a worker reports once that there are none, which was no request. */
const noRequest = 'no targets to attack';

/** Counts the lines of `vegeta encode -to=json`. */
export function vegetaTally() {
  const [statuses, errors] = [{}, {}] as [GeneratorCounts['statuses'], GeneratorCounts['errors']];
  const steps = new Map<number, number>();
  let [maxSeconds, startedAt, endedAt] = [0, Number.POSITIVE_INFINITY, 0];
  return {
    line(text: string): void {
      if (text === '') return;
      const { code, timestamp, latency, error } = JSON.parse(text) as Result;
      if (code === 0 && error.includes(noRequest)) return;
      const [at, seconds] = [Date.parse(timestamp), latency / 1e9];
      startedAt = Math.min(startedAt, at);
      endedAt = Math.max(endedAt, at + 1000 * seconds);
      if (code === 0) {
        addTo(errors, errorIn(error));
        return;
      }
      addTo(statuses, code);
      steps.set(stepOf(seconds), (steps.get(stepOf(seconds)) ?? 0) + 1);
      maxSeconds = Math.max(maxSeconds, seconds);
    },
    counts(): GeneratorCounts {
      const histogram = { steps: [...steps].toSorted(([a], [b]) => a - b), maxSeconds };
      const when = Number.isFinite(startedAt) ? { startedAt, seconds: (endedAt - startedAt) / 1000 } : {};
      return { statuses, errors, histogram, percentiles: null, ...when };
    },
  };
}
