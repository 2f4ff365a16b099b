import { longestGapIntervals } from '../downtime-log/longest-gap.ts';
import type { QuietRun } from '../downtime-log/quiet-run.ts';
import type { Downtime, Outage } from './downtime.ts';
import type { OutageKind } from './outage-kind.ts';
import { type OutageSpan, partialDowntime } from './partial-downtime.ts';
import { sumSeconds } from './sum-seconds.ts';
import { waited } from './waited.ts';

/**
 * The log's interval, the resolution of its times, and the window that counts in epoch milliseconds, `from` included, `to` not. The true time between
 * two times in whole seconds is up to 1 s more or less, so the resolution widens both bounds.
 */
export interface MeterSettings {
  readonly intervalSeconds: number;
  readonly resolutionSeconds?: number;
  readonly from?: number;
  readonly to?: number;
}

/** What is measured of a sample. */
export interface Tick {
  /** Start, epoch milliseconds. */
  readonly at: number;
  /** How long the answer took; 0 if absent. */
  readonly millis?: number;
  /** Absent for a good sample and for unknown ticks. */
  readonly kind?: OutageKind;
  /** No sample, but so many ticks from `at` on of which nothing is known. */
  readonly unknownTicks?: number;
}

/** Takes the samples of one target, in order and inside the window, and gives the downtime at the end. */
export interface DowntimeMeter {
  /** The kind is undefined for a good sample and for unknown ticks. */
  readonly add: (tick: Omit<Tick, 'kind'>, kind: OutageKind | undefined) => void;
  /** The same as `add` for each sample of the run. */
  readonly addQuiet: (run: QuietRun) => void;
  /** From here on the log has this interval. */
  readonly interval: (seconds: number) => void;
  readonly end: () => Downtime;
}

interface Meter {
  intervalMs: number;
  readonly resolutionMs: number;
  readonly endsAt: number | undefined;
  readonly outages: MeasuredOutage[];
  /** The last tick, known or not; an edge of the window counts as one. NaN before the first: a field that is always a number is faster. */
  lastAt: number;
  /** Start of the last good sample, or of the window. */
  goodAt: number;
  hasGood: boolean;
  /** There is an unknown tick since the last known sample. */
  blurred: boolean;
  samples: number;
  unknown: number;
  unknownMs: number;
  /** Good samples since the last outage. */
  goodSamples: number;
  outage: OpenOutage | undefined;
}

interface OpenOutage {
  readonly firstBadAt: number;
  /** The window's edge, where no good sample came before. */
  readonly goodBeforeAt: number;
  readonly openAtStart: boolean;
  readonly goodSamplesBefore: number;
  readonly kinds: Set<OutageKind>;
  lastBadAt: number;
  lastKind: OutageKind;
  lowerMs: number;
  slowMs: number;
  samples: number;
}

interface MeasuredOutage extends OutageSpan {
  readonly outage: Outage;
  readonly slowMs: number;
}

/** Measures in one pass, in memory that grows only with the outages. */
export function downtimeMeter(settings: MeterSettings): DowntimeMeter {
  const meter: Meter = {
    intervalMs: settings.intervalSeconds * 1000,
    resolutionMs: (settings.resolutionSeconds ?? 0) * 1000,
    endsAt: settings.to,
    outages: [],
    lastAt: settings.from ?? Number.NaN,
    goodAt: settings.from ?? Number.NaN,
    hasGood: false,
    blurred: false,
    samples: 0,
    unknown: 0,
    unknownMs: 0,
    goodSamples: 0,
    outage: undefined,
  };
  return {
    add: ({ at, millis = 0, unknownTicks = 0 }, kind) => {
      tick(meter, at);
      if (unknownTicks > 0) takeUnknown(meter, at, unknownTicks);
      else if (kind === undefined) takeGood(meter, at, millis);
      else takeBad(meter, at, kind);
    },
    addQuiet: (run) => takeQuiet(meter, run),
    interval: (seconds) => {
      meter.intervalMs = seconds * 1000;
    },
    end: () => end(meter),
  };
}

/** Missing ticks between the last one and this one are unknown. */
function tick(meter: Meter, at: number): void {
  const gap = at - meter.lastAt;
  meter.lastAt = at;
  if (!(gap > longestGapIntervals * meter.intervalMs + meter.resolutionMs)) return;
  meter.unknown += Math.max(1, Math.round(gap / meter.intervalMs) - 1);
  meter.blurred = true;
}

function goodBefore({ goodAt }: Meter, at: number): number {
  return Number.isNaN(goodAt) ? at : goodAt;
}

function takeUnknown(meter: Meter, at: number, ticks: number): void {
  meter.unknown += ticks;
  meter.blurred = true;
  meter.lastAt = at + (ticks - 1) * meter.intervalMs;
}

function takeGood(meter: Meter, at: number, millis: number): void {
  meter.samples += 1;
  if (meter.outage !== undefined)
    close(meter, meter.outage, { to: at, goodAfterAt: at + waited(millis), openAtEnd: false });
  else if (meter.blurred) meter.unknownMs += at - goodBefore(meter, at);
  meter.goodSamples += 1;
  meter.goodAt = at;
  meter.hasGood = true;
  meter.blurred = false;
}

function takeBad(meter: Meter, at: number, kind: OutageKind): void {
  meter.samples += 1;
  meter.outage ??= {
    firstBadAt: at,
    goodBeforeAt: goodBefore(meter, at),
    openAtStart: !meter.hasGood,
    goodSamplesBefore: meter.goodSamples,
    kinds: new Set(),
    lastBadAt: at,
    lastKind: kind,
    lowerMs: 0,
    slowMs: 0,
    samples: 0,
  };
  const { outage } = meter;
  if (!meter.blurred) outage.lowerMs += at - outage.lastBadAt;
  if (outage.lastKind === 'slow') outage.slowMs += at - outage.lastBadAt;
  outage.lastBadAt = at;
  outage.lastKind = kind;
  outage.samples += 1;
  outage.kinds.add(kind);
  meter.blurred = false;
}

interface Closing {
  readonly to: number;
  /** The window's end, where no good sample came after. */
  readonly goodAfterAt: number;
  readonly openAtEnd: boolean;
}

/** After its first sample nothing is open or unknown. */
function takeQuiet(meter: Meter, { firstAt, firstMillis, lastAt, count }: QuietRun): void {
  tick(meter, firstAt);
  takeGood(meter, firstAt, firstMillis);
  meter.samples += count - 1;
  meter.goodSamples += count - 1;
  meter.lastAt = meter.goodAt = lastAt;
}

function close(meter: Meter, open: OpenOutage, { to, goodAfterAt, openAtEnd }: Closing): void {
  const outage: Outage = {
    from: new Date(open.firstBadAt).toISOString(),
    to: new Date(to).toISOString(),
    seconds: (to - open.firstBadAt) / 1000,
    lowerSeconds: Math.max(0, open.lowerMs - meter.resolutionMs) / 1000,
    upperSeconds: (goodAfterAt - open.goodBeforeAt + meter.resolutionMs) / 1000,
    samples: open.samples,
    kinds: [...open.kinds],
    ...(open.openAtStart ? { openAtStart: true } : {}),
    ...(openAtEnd ? { openAtEnd } : {}),
  };
  meter.outages.push({
    outage,
    firstBadAt: open.firstBadAt,
    lastBadAt: open.lastBadAt,
    goodBeforeAt: open.goodBeforeAt,
    goodAfterAt,
    endedAt: to,
    bad: open.samples,
    goodSamplesBefore: open.goodSamplesBefore,
    slowMs: open.slowMs + (open.lastKind === 'slow' ? to - open.lastBadAt : 0),
  });
  meter.outage = undefined;
  meter.goodSamples = 0;
}

/** An outage that is still open ends one interval after its last bad sample, at the latest at the window's end (docs/facts/measuring.md, "Outages and their bounds"). */
function end(meter: Meter): Downtime {
  const open = meter.outage;
  if (meter.endsAt !== undefined) tick(meter, meter.endsAt);
  const endsAt = meter.endsAt ?? (Number.isNaN(meter.lastAt) ? 0 : meter.lastAt) + meter.intervalMs;
  if (open !== undefined) {
    close(meter, open, {
      to: Math.min(endsAt, open.lastBadAt + meter.intervalMs),
      goodAfterAt: endsAt,
      openAtEnd: true,
    });
  } else if (meter.blurred) meter.unknownMs += endsAt - goodBefore(meter, endsAt);
  const outages = meter.outages.map(({ outage }) => outage);
  const partial = partialDowntime(meter.outages, meter);
  return {
    outages,
    downtime: {
      seconds: sumSeconds(outages.map(({ seconds }) => seconds)),
      lowerSeconds: sumSeconds(outages.map(({ lowerSeconds }) => lowerSeconds)),
      upperSeconds: sumSeconds(outages.map(({ upperSeconds }) => upperSeconds)),
      slowSeconds: sumSeconds(meter.outages.map(({ slowMs }) => slowMs / 1000)),
      samples: meter.samples,
      bad: outages.reduce((bad, { samples }) => bad + samples, 0),
      unknown: meter.unknown,
      unknownSeconds: meter.unknownMs / 1000,
      ...(partial === undefined ? {} : { partial }),
    },
  };
}

/** The downtime of one target, from its ticks in the order of their starts; those outside the window do not count. */
export function downtime(ticks: readonly Tick[], settings: MeterSettings): Downtime {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = settings;
  const meter = downtimeMeter(settings);
  for (const tick of ticks) {
    if (tick.at >= from && tick.at < to) meter.add(tick, tick.kind);
  }
  return meter.end();
}
