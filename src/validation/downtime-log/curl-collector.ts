import { type CurlSample, curlLog } from './curl-log.ts';
import type { LogListener } from './downtime-log.ts';

/** Enough for a median that a few hangs do not move. */
const ESTIMATE_FROM = 1000;

export interface CurlCollector {
  readonly line: (line: string) => void;
  readonly sample: (sample: CurlSample) => void;
  /** What came so far and was not passed on: it was no loop's. */
  readonly takeBack: () => readonly CurlSample[];
  /** Nothing more of this loop comes. */
  readonly end: () => void;
}

/**
 * A curl loop's log says nothing of its settings: the interval is the median between the first thousand starts, and a good sample is a 200 within the
 * second that our own monitor grants by default.
 */
export function curlCollector({ part, line }: Pick<LogListener, 'part' | 'line'>): CurlCollector {
  const read = curlLog();
  let first: CurlSample[] | undefined = [];
  const pass = ({ at, result }: CurlSample) => {
    if (result === undefined) line(at, 0, 0, { connection: 'new', unknownTicks: 1 });
    else line(at, result.status, result.millis, { connection: 'new' });
  };
  const begin = () => {
    if (first === undefined || first.length === 0) return;
    const intervalSeconds = usualGapSeconds(first);
    const resolutionSeconds = first.some(({ fine }) => fine) ? 0 : 1;
    part({
      format: 'curl',
      targets: [],
      intervalSeconds,
      timeoutSeconds: 0,
      slowSeconds: 1,
      expect: 200,
      resolutionSeconds,
    });
    first.forEach(pass);
    first = undefined;
  };
  const sample = (taken: CurlSample) => {
    if (first === undefined) return pass(taken);
    first.push(taken);
    if (first.length >= ESTIMATE_FROM) begin();
  };
  const takeBack = () => {
    const held = first ?? [];
    first = undefined;
    return held;
  };
  return { line: (text) => read(text).forEach(sample), sample, takeBack, end: begin };
}

/** Pure. Between the starts of a loop. In whole seconds most gaps of a faster loop are none: then their mean tells more. */
export function usualGapSeconds(samples: readonly Pick<CurlSample, 'at'>[]): number {
  const gaps = samples.slice(1).map(({ at }, index) => (at - (samples[index]?.at ?? at)) / 1000);
  const forward = gaps.filter((gap) => gap >= 0).sort((a, b) => a - b);
  const median = forward[Math.floor(forward.length / 2)] ?? 0;
  const mean = forward.reduce((sum, gap) => sum + gap, 0) / forward.length;
  return median || Math.round(mean * 1000) / 1000 || 1;
}
