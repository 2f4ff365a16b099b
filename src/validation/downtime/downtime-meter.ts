import type { Downtime, Outage } from './downtime.ts';
import type { OutageKind } from './outage-kind.ts';

/**
 * What is measured with: the log's interval, the resolution of its times, and the part that counts, `from` included, `to` not. Between two times
 * without a fraction the true time is up to the resolution more or less, so that the bounds (contract section 3) hold only with it.
 */
export interface MeterSettings {
  readonly intervalSeconds: number;
  readonly resolutionSeconds?: number;
  readonly from?: number;
  readonly to?: number;
}

/** Takes the samples of one target in the order of their starts (epoch milliseconds), inside the window, and tells the downtime at the end. */
export interface DowntimeMeter {
  /** And how long the answer took. */
  readonly good: (at: number, millis: number) => void;
  readonly bad: (at: number, kind: OutageKind) => void;
  readonly unknown: (at: number, ticks: number) => void;
  /** From here on the log has this interval. */
  readonly interval: (seconds: number) => void;
  readonly end: () => Downtime;
}

/** Two starts further apart than this many intervals have an unknown tick between them (facts 6.5). */
const GAP = 1.5;

/** An answer within this is taken for immediate (Nielsen, Usability Engineering, 1993: a tenth of a second). */
const IMMEDIATE_MS = 100;

interface Meter {
  intervalMs: number;
  readonly resolutionMs: number;
  readonly endsAt: number | undefined;
  readonly outages: MeasuredOutage[];
  /** The last tick, known or not; an edge of the window counts as one. NaN before the first: a field that is always a number is faster. */
  lastAt: number;
  /** Where the last good sample was, or the window begins. */
  goodAt: number;
  hasGood: boolean;
  /** A tick since the last known sample is unknown. */
  blurred: boolean;
  samples: number;
  unknown: number;
  unknownMs: number;
  outage: OpenOutage | undefined;
}

interface OpenOutage {
  readonly firstBadAt: number;
  /** The window's edge, where no good sample came before. */
  readonly goodBeforeAt: number;
  readonly openAtStart: boolean;
  readonly kinds: Set<OutageKind>;
  lastBadAt: number;
  lastKind: OutageKind;
  lowerMs: number;
  slowMs: number;
  samples: number;
}

interface MeasuredOutage {
  readonly outage: Outage;
  readonly slowMs: number;
}

/** Pure. One pass, and no more memory than the outages take. */
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
    outage: undefined,
  };
  return {
    good: (at, millis) => takeGood(meter, at, millis),
    bad: (at, kind) => takeBad(meter, at, kind),
    unknown: (at, ticks) => {
      tick(meter, at);
      meter.unknown += ticks;
      meter.blurred = true;
      meter.lastAt = at + (ticks - 1) * meter.intervalMs;
    },
    interval: (seconds) => {
      meter.intervalMs = seconds * 1000;
    },
    end: () => end(meter),
  };
}

/** Every tick between this one and the last that is not there is unknown. */
function tick(meter: Meter, at: number): void {
  const gap = at - meter.lastAt;
  meter.lastAt = at;
  if (!(gap > GAP * meter.intervalMs + meter.resolutionMs)) return;
  meter.unknown += Math.max(1, Math.round(gap / meter.intervalMs) - 1);
  meter.blurred = true;
}

/** A good answer that had to wait, for the end of a hang perhaps, proves nothing before it came. */
function waited(millis: number): number {
  return millis > IMMEDIATE_MS ? millis : 0;
}

function goodBefore({ goodAt }: Meter, at: number): number {
  return Number.isNaN(goodAt) ? at : goodAt;
}

function takeGood(meter: Meter, at: number, millis: number): void {
  tick(meter, at);
  meter.samples += 1;
  if (meter.outage !== undefined)
    close(meter, meter.outage, { to: at, goodAfterAt: at + waited(millis), openAtEnd: false });
  else if (meter.blurred) meter.unknownMs += at - goodBefore(meter, at);
  meter.goodAt = at;
  meter.hasGood = true;
  meter.blurred = false;
}

function takeBad(meter: Meter, at: number, kind: OutageKind): void {
  tick(meter, at);
  meter.samples += 1;
  meter.outage ??= {
    firstBadAt: at,
    goodBeforeAt: goodBefore(meter, at),
    openAtStart: !meter.hasGood,
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
  meter.outages.push({ outage, slowMs: open.slowMs + (open.lastKind === 'slow' ? to - open.lastBadAt : 0) });
  meter.outage = undefined;
}

/** An outage that is still open ends one interval after its last bad sample, and at the latest where the window does (openshift's rule, facts 1.1). */
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
    },
  };
}

/** Seconds with their milliseconds, without what binary fractions add. */
export function sumSeconds(seconds: readonly number[]): number {
  return seconds.reduce((total, value) => total + Math.round(value * 1000), 0) / 1000;
}

/** A sample and how long it took, or ticks of which nothing is known, at its start in epoch milliseconds. The kind is absent for a good one. */
export type Tick =
  | { readonly at: number; readonly millis?: number; readonly kind?: OutageKind; readonly unknownTicks?: undefined }
  | { readonly at: number; readonly unknownTicks: number };

/** Pure. The downtime of one target, from its ticks in the order of their starts; those outside the window do not count. */
export function downtime(ticks: readonly Tick[], settings: MeterSettings): Downtime {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = settings;
  const meter = downtimeMeter(settings);
  for (const tick of ticks) {
    if (tick.at < from || tick.at >= to) continue;
    if (tick.unknownTicks !== undefined) meter.unknown(tick.at, tick.unknownTicks);
    else if (tick.kind === undefined) meter.good(tick.at, tick.millis ?? 0);
    else meter.bad(tick.at, tick.kind);
  }
  return meter.end();
}
