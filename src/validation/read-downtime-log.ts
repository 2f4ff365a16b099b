import type { Files } from '../host/host.ts';
import { type Downtime, downtime, type Tick } from './downtime.ts';
import { judgedLog } from './judged-log.ts';
import { type LogPart, logReader } from './log-reader.ts';

/** A run's downtime log, read back: what its monitor saw of its first target on new connections. */
export interface DowntimeLog {
  /** The monitor's settings; undefined when the log has not even a header. */
  readonly settings: LogPart | undefined;
  /** In the order of their starts. */
  readonly ticks: readonly Tick[];
  /** Seconds by which the wall clock was set while the monitor ran. */
  readonly clockSteps: readonly number[];
}

/** Epoch milliseconds, `from` included, `to` not. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Reads the log once; with a window, only what started in it is kept. A file that is not there is an `OperationError`. */
export async function readDowntimeLog(files: Files, path: string, window?: Window): Promise<DowntimeLog> {
  const { from, to } = window ?? { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const ticks: Tick[] = [];
  const clockSteps: number[] = [];
  let settings: LogPart | undefined;
  const keep = (tick: Tick) => {
    if (tick.at >= from && tick.at < to) ticks.push(tick);
  };
  const isOurs = ({ connection, target }: { readonly connection: string; readonly target?: string }) =>
    connection === 'new' && (target === undefined || target === settings?.targets[0]);
  const listener = judgedLog({
    part: (part) => {
      settings ??= part;
    },
    sample: (at, millis, kind, _status, extra) => {
      if (isOurs(extra)) keep(kind === undefined ? { at, millis } : { at, millis, kind });
    },
    unknown: (at, unknownTicks, extra) => {
      if (isOurs(extra)) keep({ at, unknownTicks });
    },
    clockStep: (seconds) => clockSteps.push(seconds),
  });
  const reader = logReader(listener);
  for await (const chunk of files.chunks(path)) reader.push(chunk);
  reader.end();
  return { settings, ticks, clockSteps };
}

/** Pure. The downtime within a window, or of the whole log. */
export function downtimeWithin({ settings, ticks }: DowntimeLog, window?: Window): Downtime {
  const { intervalSeconds, resolutionSeconds } = settings ?? { intervalSeconds: 1, resolutionSeconds: 0 };
  return downtime(ticks, { intervalSeconds, resolutionSeconds, ...window });
}
