import { type ExpectedStatuses, isExpected } from '../../settings/expected-status.ts';
import { defaultHeader, type LoggedSample, type LogPart } from '../downtime-log/downtime-log.ts';
import type { ClockStep, LogListener } from '../downtime-log/log-listener.ts';
import { type Expected, expectedOf, type OutageKind, type OwnExpected, outageKind } from './outage-kind.ts';

/** Receives a log's samples, judged, in the order of their starts. */
export interface JudgedListener {
  readonly part: (part: LogPart) => void;
  /**
   * The kind is undefined for a good sample, and where `unknownTicks` is not 0. Unknown ticks concern every target
   * unless the extra names one. The record is used again for later samples: copy what you keep.
   */
  readonly sample: (sample: LoggedSample, kind: OutageKind | undefined) => void;
  readonly clockStep: (step: ClockStep) => void;
  readonly quiet?: LogListener['quiet'];
}

/** Replaces the log's own settings. */
export interface JudgeSettings {
  readonly slowSeconds?: number;
  readonly expect?: ExpectedStatuses;
}

interface Stall {
  readonly from: number;
  readonly to: number;
}

/** Enough: earlier stalls are older than any sample that the reorder buffer still holds. */
const mostStalls = 64;
/** The kinds of bad sample that a stall of the monitor can cause. A refusal or a 503 came from elsewhere. */
const kindsOfStalls: ReadonlySet<OutageKind> = new Set(['slow', 'timeout', 'connect-timeout', 'dns']);

/** Whether a bad sample may be bad only because the monitor did not run for a part of its time. */
export const isOfStall = (kind: OutageKind, seconds: number, stalledSeconds: number, slowSeconds: number): boolean =>
  stalledSeconds > 0 && kindsOfStalls.has(kind) && seconds - stalledSeconds <= slowSeconds;

/**
 * Judges each sample by the log's settings. One that was bad only because the monitor itself did not run is unknown.
 */
export function judgedLog(listener: JudgedListener, settings: JudgeSettings = {}): LogListener {
  const stalls: Stall[] = [];
  let expect: ExpectedStatuses = defaultHeader.expect;
  let slowMs = defaultHeader.slowSeconds * 1000;
  /** Where a target has its own, every sample is looked at closely. */
  let own: OwnExpected | undefined;
  let all: Expected & { readonly own?: OwnExpected } = defaultHeader;
  const judge = (sample: LoggedSample) => {
    const { at, status, millis, extra } = sample;
    const { error, bodyMatched } = extra;
    const wanted = expectedOf(all, extra.target);
    const kind = outageKind({ status, seconds: millis / 1000, error, bodyMatched }, wanted);
    const stalled = kind === undefined ? 0 : stalledMs(stalls, at, millis);
    const isStall = kind !== undefined && isOfStall(kind, millis / 1000, stalled / 1000, wanted.slowSeconds);
    if (isStall) sample.unknownTicks = 1;
    listener.sample(sample, isStall ? undefined : kind);
  };
  return {
    part: (part) => {
      expect = settings.expect ?? part.expect;
      slowMs = (settings.slowSeconds ?? part.slowSeconds) * 1000;
      own = part.own === undefined ? undefined : withGiven(part.own, settings);
      all = { expect, slowSeconds: slowMs / 1000, ...(own === undefined ? {} : { own }) };
      listener.part(part);
    },
    sample: (sample) => {
      const { status, millis, extra, unknownTicks } = sample;
      const isGood =
        isExpected(status, expect) && millis <= slowMs && extra.error === undefined && extra.bodyMatched === undefined;
      if ((isGood && own === undefined) || unknownTicks > 0) listener.sample(sample, undefined);
      else judge(sample);
    },
    stall: (from, to) => {
      stalls.push({ from, to });
      if (stalls.length > mostStalls) stalls.shift();
    },
    clockStep: listener.clockStep,
    quiet: (run) => {
      const isSame = run.settings.expect === expect && run.settings.slowSeconds * 1000 === slowMs;
      return isSame && listener.quiet?.(run) === true;
    },
  };
}

/** What is given holds for every target. */
const withGiven = (own: OwnExpected, given: JudgeSettings): OwnExpected =>
  Object.fromEntries(Object.entries(own).map(([target, settings]) => [target, { ...settings, ...given }]));

/** For how long of the sample's time the monitor did not run. */
function stalledMs(stalls: readonly Stall[], at: number, millis: number): number {
  const overlaps = stalls.map(({ from, to }) => Math.max(0, Math.min(to, at + millis) - Math.max(from, at)));
  return overlaps.reduce((sum, overlap) => sum + overlap, 0);
}
