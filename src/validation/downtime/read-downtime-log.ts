import type { Files } from '../../host/host.ts';
import { type LineExtra, type LogPart, parseHeader } from '../downtime-log/downtime-log.ts';
import { logReader } from '../downtime-log/log-reader.ts';
import type { Downtime } from './downtime.ts';
import { downtime, type Tick } from './downtime-meter.ts';
import { judgedLog } from './judged-log.ts';
import { withoutProberTrouble } from './prober-trouble.ts';

/** A run's downtime log, read back: what its monitor saw of its first target on new connections. */
export interface DowntimeLog {
  /** The monitor's settings; undefined when the log has not even a header. */
  readonly settings: LogPart | undefined;
  /** In the order of their starts. */
  readonly ticks: readonly Tick[];
  /** Of the probe that keeps its connection; none when there was no such probe. */
  readonly reused: readonly Tick[];
  /** Seconds by which the wall clock was set while the monitor ran. */
  readonly clockSteps: readonly number[];
}

/** How the probe that keeps its connection fared: it fails differently, and counts apart (facts 1.1). */
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
 * Reads the log once: all of it, or its first header and the lines from that byte on; `toByte` is where its whole lines end. A file
 * that is not there is an `OperationError`.
 */
export async function readDowntimeLog(
  files: Files,
  path: string,
  fromByte = 0,
): Promise<DowntimeLog & { readonly toByte: number }> {
  const reader = downtimeLogReader();
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

/** A fact of the run's own may stand before it, for the log of a bastion can be late; a curl loop's has none. */
async function firstHeader(files: Files, path: string): Promise<Uint8Array> {
  for await (const chunk of files.chunks(path)) {
    const lines = new TextDecoder().decode(chunk).split('\n').slice(0, -1);
    const header = lines.find((line) => parseHeader(line) !== undefined);
    return new TextEncoder().encode(header === undefined ? '' : `${header}\n`);
  }
  return new Uint8Array();
}
const lineEnd = 10;

/** Pure. Takes the bytes of a log in order, and tells at the end what stood in them; a torn last line is passed over. */
export function downtimeLogReader(): {
  readonly push: (chunk: Uint8Array) => void;
  readonly end: () => DowntimeLog;
} {
  const ticks: Tick[] = [];
  const reused: Tick[] = [];
  const clockSteps: number[] = [];
  let settings: LogPart | undefined;
  const keep = ({ connection, target }: LineExtra, tick: Tick) => {
    const isFirst = target === undefined || target === settings?.targets[0];
    if (isFirst) (connection === 'new' ? ticks : reused).push(tick);
  };
  const guard = withoutProberTrouble({
    part: (part) => {
      settings ??= part;
    },
    sample: (at, millis, kind, _status, extra) => {
      keep(extra, kind === undefined ? { at, millis } : { at, millis, kind });
    },
    unknown: (at, unknownTicks, extra) => {
      keep(extra, { at, unknownTicks });
    },
    clockStep: (seconds) => clockSteps.push(seconds),
  });
  const reader = logReader(judgedLog(guard.listener));
  return {
    push: reader.push,
    end: () => {
      reader.end();
      guard.end();
      return { settings, ticks, reused, clockSteps };
    },
  };
}

/** Pure. The downtime within a window, or of the whole log. */
export function downtimeWithin({ settings, ticks }: DowntimeLog, window?: Window): Downtime {
  const { intervalSeconds, resolutionSeconds } = settings ?? { intervalSeconds: 1, resolutionSeconds: 0 };
  return downtime(ticks, { intervalSeconds, resolutionSeconds, ...window });
}

/** Pure. Undefined when there was no such probe. */
export function reusedWithin({ reused }: DowntimeLog, { from, to }: Window): ReusedSamples | undefined {
  const seen = reused.filter(({ at, unknownTicks }) => at >= from && at < to && unknownTicks === undefined);
  if (seen.length === 0) return undefined;
  return { samples: seen.length, bad: seen.filter((tick) => 'kind' in tick && tick.kind !== undefined).length };
}
