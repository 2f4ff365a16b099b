import type { Sample } from '../host/host.ts';
import { curlLog } from './curl-log.ts';
import { type LogHeader, parseExtra, parseHeader } from './downtime-log.ts';
import { parseFact } from './log-facts.ts';
import { type OutageKind, outageKind } from './outage-kind.ts';

/** A log that grows elsewhere, as far as it has come. Instants are epoch milliseconds of the clock that wrote it. */
export interface FollowedLog {
  /** One whole line, without its end: the samples that it says or completes, each judged by the log's own settings. */
  readonly take: (line: string) => readonly JudgedSample[];
  /** When the newest sample ended; undefined before the first. */
  readonly newestEndedAt: () => number | undefined;
  /** Good samples in a row up to now that started at or after that instant; a tick that has not come breaks the row. */
  readonly goodInARow: (sinceAt: number) => number;
  /** Whether every sample that started before that instant must have come by now. */
  readonly isCompleteBefore: (at: number) => boolean;
}
export interface JudgedSample {
  readonly sample: Sample;
  readonly target: string;
  readonly kind: OutageKind | undefined;
}

/** More than any gate asks for, and a gap of the longest timeout besides. */
const mostRemembered = 1000;
/** A tick later than this many intervals is one that has not come. */
const gapIntervals = 1.5;
/** Of a curl loop, which says nothing of itself (contract section 3). */
const curlSettings: LogHeader = { targets: [], intervalSeconds: 1, timeoutSeconds: 0, slowSeconds: 1, expect: 200 };

const sampleLine = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{3}) (\d+\.\d{3})( .*)?$/;

interface Start {
  readonly at: number;
  readonly good: boolean;
}

/** Reads our own log (contract section 3) or a curl loop's, line by line as it comes. */
export function followedLog(): FollowedLog {
  let settings = curlSettings;
  let starts: readonly Start[] = [];
  let newestEndedAt: number | undefined;
  const curl = curlLog();
  const remember = (start: Start): void => {
    starts = [...starts, start].toSorted((a, b) => a.at - b.at).slice(-mostRemembered);
  };
  const judged = (sample: Sample, target = settings.targets[0] ?? ''): JudgedSample => {
    const kind = outageKind(sample, settings);
    newestEndedAt = Math.max(newestEndedAt ?? 0, sample.at + sample.seconds * 1000);
    const counts = sample.connection === 'new' && target === (settings.targets[0] ?? '');
    if (counts) remember({ at: sample.at, good: kind === undefined });
    return { sample, target, kind };
  };
  const takeFact = (line: string): void => {
    const fact = parseFact(line);
    if (fact?.type === 'missed' || fact?.type === 'unknown') remember({ at: fact.from, good: false });
  };
  return {
    take(line) {
      const header = parseHeader(line);
      if (header !== undefined) settings = 'version' in header ? settings : header;
      else if (line.startsWith('#')) takeFact(line);
      else return samplesIn(line, curl).map(({ sample, target }) => judged(sample, target));
      return [];
    },
    newestEndedAt: () => newestEndedAt,
    goodInARow: (sinceAt) => goodInARow(starts, settings.intervalSeconds, sinceAt),
    isCompleteBefore: (at) => (starts.at(-1)?.at ?? 0) >= at + settings.timeoutSeconds * 1000,
  };
}

interface ReadSample {
  readonly sample: Sample;
  readonly target?: string | undefined;
}

function samplesIn(line: string, curl: ReturnType<typeof curlLog>): readonly ReadSample[] {
  const [, at, status, seconds, words = ''] = sampleLine.exec(line) ?? [];
  if (at === undefined) return curl(line).flatMap(curlSample);
  const extra = parseExtra(words);
  if (extra === undefined) return [];
  const { target, unknownTicks: _, ...more } = extra;
  const sample: Sample = { at: Date.parse(at), status: Number(status), seconds: Number(seconds), phases: {}, ...more };
  return [{ sample, target }];
}

/** A request of which the loop wrote nothing more than its date failed somehow. */
function curlSample({ at, result }: ReturnType<ReturnType<typeof curlLog>>[number]): readonly ReadSample[] {
  const { status, millis } = result ?? { status: 0, millis: 0 };
  return [{ sample: { at, status, seconds: millis / 1000, connection: 'new', phases: {} } }];
}

function goodInARow(starts: readonly Start[], intervalSeconds: number, sinceAt: number): number {
  let count = 0;
  let next: number | undefined;
  for (const { at, good } of starts.toReversed()) {
    const gap = next !== undefined && next - at > gapIntervals * intervalSeconds * 1000;
    if (!good || gap || at < sinceAt) break;
    count += 1;
    next = at;
  }
  return count;
}
