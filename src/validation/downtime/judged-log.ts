import type { LineExtra, LogListener, LogPart } from '../downtime-log/downtime-log.ts';
import { type OutageKind, outageKind } from './outage-kind.ts';

/** Hears a log's samples, judged, in the order of their starts (epoch milliseconds). */
export interface JudgedListener {
  readonly part: (part: LogPart) => void;
  /** The kind is undefined for a good sample. */
  readonly sample: (at: number, millis: number, kind: OutageKind | undefined, status: number, extra: LineExtra) => void;
  /** So many ticks of which nothing is known; of every target where the extra names none. */
  readonly unknown: (at: number, ticks: number, extra: LineExtra) => void;
  readonly clockStep: (seconds: number) => void;
}

/** Instead of what the log says of itself. */
export interface JudgeSettings {
  readonly slowSeconds?: number;
  readonly expect?: number;
}

interface Stall {
  readonly from: number;
  readonly to: number;
}

/** Stalls further back than this many are older than any sample that is still held back. */
const MOST_STALLS = 64;
/** What a stall of the monitor itself can make of a good answer; a refusal or a 503 it cannot. */
const STALLED_KINDS: ReadonlySet<OutageKind> = new Set(['slow', 'timeout', 'dns']);

/** Pure. Judges each sample by the log's own settings. One that was only slow because the monitor stood still is unknown. */
export function judgedLog(listener: JudgedListener, settings: JudgeSettings = {}): LogListener {
  const stalls: Stall[] = [];
  let [expect, slowMs] = [200, 1000];
  const judge = (at: number, status: number, millis: number, extra: LineExtra) => {
    const kind = outageKind({ ...extra, status, seconds: millis / 1000 }, { expect, slowSeconds: slowMs / 1000 });
    const stalled = stalledMs(stalls, at, millis);
    if (stalled > 0 && kind !== undefined && STALLED_KINDS.has(kind) && millis - stalled <= slowMs)
      listener.unknown(at, 1, extra);
    else listener.sample(at, millis, kind, status, extra);
  };
  return {
    part: (part) => {
      expect = settings.expect ?? part.expect;
      slowMs = (settings.slowSeconds ?? part.slowSeconds) * 1000;
      listener.part(part);
    },
    line: (at, status, millis, extra) => {
      if (extra.unknownTicks !== undefined) listener.unknown(at, extra.unknownTicks, extra);
      else if (status === expect && millis <= slowMs && extra.error === undefined && extra.bodyMatched === undefined) {
        listener.sample(at, millis, undefined, status, extra);
      } else judge(at, status, millis, extra);
    },
    stall: (from, to) => {
      stalls.push({ from, to });
      if (stalls.length > MOST_STALLS) stalls.shift();
    },
    clockStep: listener.clockStep,
  };
}

/** How much of the sample's time the monitor stood still. */
function stalledMs(stalls: readonly Stall[], at: number, millis: number): number {
  const overlaps = stalls.map(({ from, to }) => Math.max(0, Math.min(to, at + millis) - Math.max(from, at)));
  return overlaps.reduce((sum, overlap) => sum + overlap, 0);
}
