import { type CurlSample, curlLog } from './curl-log.ts';
import { defaultHeader, type LogHeader } from './downtime-log.ts';
import type { LogListener } from './log-listener.ts';

/** A curl loop's log has no settings: the defaults of `holdfast monitor`, without a target and a timeout, both unknown. */
export const curlSettings: LogHeader = { ...defaultHeader, timeoutSeconds: 0 };

/** So many samples that a few requests that hang do not change the median gap. */
const estimateFrom = 1000;

export interface CurlCollector {
  readonly line: (line: string) => void;
  readonly sample: (sample: CurlSample) => void;
  /** Removes and returns the samples that were not passed on yet; call it when the log turns out not to be a curl loop's. */
  readonly takeBack: () => readonly CurlSample[];
  /** Call when this loop's lines have ended. */
  readonly end: () => void;
}

/**
 * Turns the log of a curl loop into a part and its samples. The interval is the median gap between the first thousand starts.
 */
export function curlCollector(to: Pick<LogListener, 'part' | 'sample'>): CurlCollector {
  const read = curlLog();
  let first: CurlSample[] | undefined = [];
  const pass = ({ at, result }: CurlSample) => {
    const { status, millis } = result ?? { status: 0, millis: 0 };
    to.sample({ at, status, millis, extra: { connection: 'new' }, unknownTicks: result === undefined ? 1 : 0 });
  };
  const begin = () => {
    if (first === undefined || first.length === 0) return;
    const intervalSeconds = typicalGapSeconds(first);
    const resolutionSeconds = first.some(({ fine }) => fine) ? 0 : 1;
    to.part({
      ...curlSettings,
      format: 'curl',
      intervalSeconds,
      resolutionSeconds,
    });
    first.forEach(pass);
    first = undefined;
  };
  const sample = (taken: CurlSample) => {
    if (first === undefined) return pass(taken);
    first.push(taken);
    if (first.length >= estimateFrom) begin();
  };
  const takeBack = () => {
    const held = first ?? [];
    first = undefined;
    return held;
  };
  return { line: (text) => read(text).forEach(sample), sample, takeBack, end: begin };
}

/** The median gap between the starts of a loop. Where it is 0, because the times are whole seconds and the loop is faster, the mean gap; 1 if that is 0 too. */
export function typicalGapSeconds(samples: readonly Pick<CurlSample, 'at'>[]): number {
  const gaps = samples.slice(1).map(({ at }, index) => (at - (samples[index]?.at ?? at)) / 1000);
  const forward = gaps.filter((gap) => gap >= 0).sort((a, b) => a - b);
  const median = forward[Math.floor(forward.length / 2)] ?? 0;
  const mean = forward.reduce((sum, gap) => sum + gap, 0) / forward.length;
  return median || Math.round(mean * 1000) / 1000 || 1;
}
