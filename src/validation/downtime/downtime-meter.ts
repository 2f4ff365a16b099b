import { longestGapIntervals } from '../downtime-log/longest-gap.ts';
import type { QuietRun } from '../downtime-log/quiet-run.ts';
import { type WindowDowntime, withSpan } from '../window-downtime.ts';
import type { Downtime, MeasuredOutage } from './downtime.ts';
import { episode, partialDowntime, spansOf, sureMs } from './episodes.ts';
import {
  type BadSample,
  byClockAhead,
  type Closing,
  count,
  extend,
  measuredOutage,
  noSamples,
  type OpenOutage,
  openOutage,
  type SampleCounts,
  waited,
} from './open-outage.ts';
import type { OutageKind } from './outage-kind.ts';
import { inSteps } from './steps.ts';
import { isSince, lengthened, type Stretch, sumSeconds, totalMs } from './stretches.ts';

/**
 * The log's interval, the resolution of its times, and the window that counts in epoch milliseconds, `from` included,
 * `to` not. The true time between two times in whole seconds is up to 1 s more or less, so the resolution widens both
 * bounds.
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
  /** Of a bad one, what it says of why. */
  readonly cause?: string | undefined;
  /** No sample, but so many ticks from `at` on of which nothing is known. */
  readonly unknownTicks?: number;
  /** Of the edges: it sharpens the bounds of outages; counts and gaps are those of the other samples. */
  readonly edge?: boolean;
  /** The prober's clock was set ahead by so much before it. */
  readonly clockAheadMs?: number;
}

/** Takes the samples of one target, in order and inside the window, and gives the downtime at the end. */
export interface DowntimeMeter {
  /** The kind is undefined for a good sample and for unknown ticks. */
  readonly add: (tick: Omit<Tick, 'kind' | 'edge'>, kind: OutageKind | undefined, edge?: boolean) => void;
  /** The same as `add` for each sample of the run. */
  readonly addQuiet: (run: QuietRun) => void;
  /** The prober's clock was set ahead by so much: an open outage goes on by the new clock. */
  readonly clockAhead: (ms: number) => void;
  /** From here on the log has this interval. */
  readonly interval: (seconds: number) => void;
  readonly end: () => Downtime;
}

interface Meter {
  intervalMs: number;
  readonly resolutionMs: number;
  readonly endsAt: number | undefined;
  readonly outages: MeasuredOutage[];
  /** The first and the last tick, known or not, or an edge of the window. NaN before: numbers alone are faster. */
  firstAt: number;
  lastAt: number;
  /** Start of the last good sample, or of the window. */
  goodAt: number;
  goodIsEdge: boolean;
  hasGood: boolean;
  /** There is an unknown tick since the last known sample. */
  blurred: boolean;
  readonly samples: SampleCounts;
  unknown: number;
  /** Between good samples, so that an outage could hide there. */
  readonly blind: Stretch[];
  /** Good samples since the last outage. */
  good: SampleCounts;
  outage: OpenOutage | undefined;
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
    goodIsEdge: false,
    hasGood: false,
    blurred: false,
    samples: noSamples(),
    unknown: 0,
    blind: [],
    firstAt: settings.from ?? Number.NaN,
    good: noSamples(),
    outage: undefined,
  };
  return {
    add: ({ at, millis = 0, unknownTicks = 0, cause }, kind, edge = false) => {
      // Without that sample the bounds are those of the samples around it.
      if (edge && unknownTicks > 0) return;
      if (!edge) tick(meter, at);
      if (unknownTicks > 0) takeUnknown(meter, at, unknownTicks);
      else if (kind === undefined) takeGood(meter, at, millis, edge);
      else takeBad(meter, { at, kind, edge, cause });
    },
    addQuiet: (run) => takeQuiet(meter, run),
    clockAhead: (ms) => {
      if (!meter.hasGood && meter.outage === undefined) return;
      meter.lastAt += ms;
      meter.goodAt += ms;
      if (meter.outage !== undefined) meter.outage = byClockAhead(meter.outage, ms);
    },
    interval: (seconds) => {
      meter.intervalMs = seconds * 1000;
    },
    end: () => end(meter),
  };
}

/** Missing ticks between the last one and this one are unknown. */
function tick(meter: Meter, at: number): void {
  const gap = at - meter.lastAt;
  if (Number.isNaN(meter.firstAt)) meter.firstAt = at;
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

function takeGood(meter: Meter, at: number, millis: number, edge: boolean): void {
  count(meter.samples, edge);
  if (meter.outage !== undefined)
    close(meter, meter.outage, { to: at, goodAfterAt: at + waited(millis), edge, openAtEnd: false });
  else if (meter.blurred) lengthened(meter.blind, goodBefore(meter, at), at);
  count(meter.good, edge);
  meter.goodAt = at;
  meter.goodIsEdge = edge;
  meter.hasGood = true;
  meter.blurred = false;
}

function takeBad(meter: Meter, sample: BadSample): void {
  count(meter.samples, sample.edge);
  meter.outage ??= openOutage(sample, {
    goodBeforeAt: goodBefore(meter, sample.at),
    openAtStart: !meter.hasGood,
    goodBefore: meter.good,
    goodIsEdge: meter.goodIsEdge,
  });
  extend(meter.outage, sample, meter.blurred);
  meter.blurred = false;
}

/** After its first sample nothing is open or unknown. */
function takeQuiet(meter: Meter, { firstAt, firstMillis, lastAt, count: quiet }: QuietRun): void {
  tick(meter, firstAt);
  takeGood(meter, firstAt, firstMillis, false);
  meter.samples.interval += quiet - 1;
  meter.good.interval += quiet - 1;
  meter.lastAt = meter.goodAt = lastAt;
}

function close(meter: Meter, open: OpenOutage, closing: Closing): void {
  meter.outages.push(measuredOutage(open, closing, meter.resolutionMs));
  meter.outage = undefined;
  meter.good = noSamples();
}

/** An open outage ends an interval after its last bad sample (docs/facts/measuring.md, "Outages and their bounds"). */
function end(meter: Meter): Downtime {
  const open = meter.outage;
  if (meter.endsAt !== undefined) tick(meter, meter.endsAt);
  const lastAt = Math.max(Number.isNaN(meter.lastAt) ? 0 : meter.lastAt, open?.lastBadAt ?? 0);
  const endsAt = meter.endsAt ?? lastAt + meter.intervalMs;
  if (open !== undefined) {
    close(meter, open, {
      to: Math.min(endsAt, open.lastBadAt + meter.intervalMs),
      goodAfterAt: endsAt,
      edge: false,
      openAtEnd: true,
    });
  } else if (meter.blurred) lengthened(meter.blind, goodBefore(meter, endsAt), endsAt);
  const outages = meter.outages.map(({ outage }) => outage);
  const { blind, firstAt, resolutionMs } = meter;
  const sight = { blind, seen: { from: firstAt, to: endsAt }, resolutionMs };
  const spans = spansOf(meter.outages, meter.intervalMs).map((span) => inSteps(span, sight.seen));
  const bracketed = spans.flatMap((span) => span.outages);
  const episodes = spans.map((span) => episode(span, meter.resolutionMs));
  const partial = partialDowntime(spans, episodes);
  return {
    outages,
    episodes,
    sight: { outages: bracketed, ...sight },
    downtime: withSpan({
      seconds: sumSeconds(outages.map(({ seconds }) => seconds)),
      lowerSeconds: sumSeconds(bracketed.map((one) => sureMs(one, meter.resolutionMs) / 1000)),
      // Until the end of the span somebody may be down.
      upperSeconds: Math.max(
        sumSeconds(outages.map((one) => one.upperSeconds)),
        sumSeconds(episodes.map((one) => one.upperSeconds)),
      ),
      slowSeconds: sumSeconds(meter.outages.map(({ slowMs }) => slowMs / 1000)),
      samples: meter.samples.interval,
      bad: outages.reduce((bad, { samples }) => bad + samples, 0),
      unknown: meter.unknown,
      unknownSeconds: totalMs(meter.blind) / 1000,
      ...edgesOf(meter),
      ...(partial === undefined ? {} : { partial }),
    }),
  };
}

function edgesOf({ samples: { edges: samples }, outages }: Meter): Pick<WindowDowntime, 'edges'> {
  const bad = outages.reduce((sum, { badEdges }) => sum + badEdges, 0);
  return samples === 0 ? {} : { edges: { samples, bad } };
}

/** The downtime of one target, from its ticks in the order of their starts; those outside the window do not count. */
export function downtime(ticks: readonly Tick[], settings: MeterSettings): Downtime {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, resolutionSeconds = 0 } = settings;
  const meter = downtimeMeter(settings);
  for (const tick of ticks) {
    if (!isSince(tick.at, from, resolutionSeconds) || tick.at >= to) continue;
    if (tick.clockAheadMs !== undefined) meter.clockAhead(tick.clockAheadMs);
    meter.add(tick, tick.kind, tick.edge);
  }
  return meter.end();
}
