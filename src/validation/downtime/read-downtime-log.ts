import type { Files } from '../../host/host.ts';
import { defaultHeader, type LoggedSample, type LogPart, parseHeader } from '../downtime-log/downtime-log.ts';
import { parseFact } from '../downtime-log/log-facts.ts';
import type { Downtime } from './downtime.ts';
import { downtime, type Tick } from './downtime-meter.ts';
import { judgedReader } from './judged-reader.ts';
import type { OutageKind } from './outage-kind.ts';

/**
 * The samples of a run's downtime log: those of the first target, or of one that is named, on new connections, and
 * apart those on a kept connection.
 */
export interface DowntimeLog {
  /** The settings of the log's first part; undefined if it has no header. */
  readonly settings: LogPart | undefined;
  /** In the order of their starts. */
  readonly ticks: readonly Tick[];
  /** Of the probe that keeps its connection; empty without one. */
  readonly reused: readonly Tick[];
}

/**
 * Samples on a kept connection. They fail differently, so they count apart (docs/facts/measuring.md, "New and kept
 * connections").
 */
export interface ReusedSamples {
  readonly samples: number;
  readonly bad: number;
}

/** Epoch milliseconds, `from` included, `to` not. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the whole log, or its first header and the lines from byte `fromByte` on. `toByte` is the end of the last whole
 * line. A file that does not exist is an `OperationError`.
 */
export async function readDowntimeLog(
  files: Files,
  path: string,
  fromByte = 0,
  target?: string,
): Promise<DowntimeLog & { readonly toByte: number }> {
  const reader = downtimeLogReader(target);
  if (fromByte > 0) reader.push(await firstHeader(files, path));
  let [position, toByte] = [fromByte, fromByte];
  for await (const chunk of files.chunks(path, fromByte)) {
    reader.push(chunk);
    const end = chunk.lastIndexOf(lineEnd) + 1;
    if (end > 0) toByte = position + end;
    position += chunk.length;
  }
  return { ...reader.end(), toByte };
}

/**
 * Of a loop's log the line that says what its columns hold. `#` lines may stand before the header: the run writes its
 * own into the copy before the first line of a bastion's log comes.
 */
async function firstHeader(files: Files, path: string): Promise<Uint8Array> {
  for await (const chunk of files.chunks(path)) {
    const lines = new TextDecoder().decode(chunk).split('\n').slice(0, -1);
    const header = lines.find((line) => parseHeader(line) !== undefined || parseFact(line)?.type === 'columns');
    return new TextEncoder().encode(header === undefined ? '' : `${header}\n`);
  }
  return new Uint8Array();
}
const lineEnd = 10;

/**
 * Push the bytes of a log in order; `end` returns what they hold of the first target, or of `wanted`. A torn last line
 * is ignored.
 */
export function downtimeLogReader(wanted?: string): {
  readonly push: (chunk: Uint8Array) => void;
  readonly end: () => DowntimeLog;
} {
  const ticks: Tick[] = [];
  const reused: Tick[] = [];
  let clockAheadMs = 0;
  let settings: LogPart | undefined;
  const reader = judgedReader({
    part: (part) => {
      settings ??= part;
    },
    sample: (sample, kind) => {
      // A probe of the edges that says nothing is as if it had not been.
      if (sample.extra.edge && sample.unknownTicks > 0) return;
      if (!concerns(sample, wanted, settings?.targets[0])) return;
      const tick = tickOf(sample, kind);
      if (sample.extra.connection !== 'new') return void reused.push(tick);
      ticks.push(clockAheadMs > 0 ? { ...tick, clockAheadMs } : tick);
      clockAheadMs = 0;
    },
    clockStep: ({ aheadMs }) => {
      clockAheadMs += aheadMs;
    },
  });
  return {
    push: reader.push,
    end: () => {
      reader.end();
      return { settings, ticks, reused };
    },
  };
}

/** Whether a sample is one of the wanted target, or of the first; unknown ticks without a target are those of all. */
function concerns({ extra: { target }, unknownTicks }: LoggedSample, wanted: string | undefined, first = ''): boolean {
  if (target === undefined && unknownTicks > 0) return true;
  return (target ?? first) === (wanted ?? first);
}

function tickOf({ at, millis, unknownTicks, extra }: LoggedSample, kind: OutageKind | undefined): Tick {
  if (unknownTicks > 0) return { at, unknownTicks };
  const edge = extra.edge === undefined ? {} : { edge: true };
  if (kind === undefined) return { at, millis, ...edge };
  return { at, millis, kind, ...edge, ...(extra.cause === undefined ? {} : { cause: extra.cause }) };
}

/** The downtime within a window, or of the whole log. */
export function downtimeWithin({ settings, ticks }: DowntimeLog, window?: Window): Downtime {
  const { intervalSeconds, resolutionSeconds } = settings ?? { ...defaultHeader, resolutionSeconds: 0 };
  return downtime(ticks, { intervalSeconds, resolutionSeconds, ...window });
}

/** Undefined if no sample on a kept connection is known. */
export function reusedWithin({ reused }: DowntimeLog, { from, to }: Window): ReusedSamples | undefined {
  const known = reused.filter(({ at, unknownTicks }) => at >= from && at < to && unknownTicks === undefined);
  if (known.length === 0) return undefined;
  return { samples: known.length, bad: known.filter(({ kind }) => kind !== undefined).length };
}
