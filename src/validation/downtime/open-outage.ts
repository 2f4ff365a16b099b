import { causesOf, countCause } from './causes.ts';
import type { MeasuredOutage, Outage } from './downtime.ts';
import type { OutageKind } from './outage-kind.ts';
import { lengthened, type Stretch, totalMs } from './stretches.ts';

/** Samples of the interval, and those of the edges beside them. */
export interface SampleCounts {
  interval: number;
  edges: number;
}
export const noSamples = (): SampleCounts => ({ interval: 0, edges: 0 });

export function count(counts: SampleCounts, edge: boolean): void {
  if (edge) counts.edges += 1;
  else counts.interval += 1;
}

/** An outage whose end has not been seen yet. Instants are epoch milliseconds. */
export interface OpenOutage {
  readonly firstBadAt: number;
  /** The window's edge, where no good sample came before. */
  readonly goodBeforeAt: number;
  readonly openAtStart: boolean;
  /** Good samples since the outage before. */
  readonly goodBefore: SampleCounts;
  /** The last good sample before it, or its first bad one, is of the edges. */
  readonly sharpStart: boolean;
  readonly kinds: OutageKind[];
  /** Made by the first one: most outages of years have none. */
  causes: Map<string, number> | undefined;
  readonly bad: SampleCounts;
  lastBadAt: number;
  lastKind: OutageKind;
  lastIsEdge: boolean;
  /** From bad sample to bad sample, with nothing unknown between. */
  readonly sure: Stretch[];
  /** While the last bad answer was only slow. */
  readonly slow: Stretch[];
}

/** The same by a clock that was set ahead by so much. */
export function byClockAhead(open: OpenOutage, ms: number): OpenOutage {
  const later = ({ from, to }: Stretch): Stretch => ({ from: from + ms, to: to + ms });
  return {
    ...open,
    firstBadAt: open.firstBadAt + ms,
    goodBeforeAt: open.goodBeforeAt + ms,
    lastBadAt: open.lastBadAt + ms,
    sure: open.sure.map(later),
    slow: open.slow.map(later),
  };
}

export interface BadSample {
  readonly at: number;
  readonly kind: OutageKind;
  readonly edge: boolean;
  readonly cause?: string | undefined;
}

/** An outage that begins with this sample, which `extend` then counts. */
export function openOutage(
  { at, kind, edge }: BadSample,
  before: Pick<OpenOutage, 'goodBeforeAt' | 'openAtStart' | 'goodBefore'> & { readonly goodIsEdge: boolean },
): OpenOutage {
  const { goodBeforeAt, openAtStart, goodBefore, goodIsEdge } = before;
  return {
    firstBadAt: at,
    goodBeforeAt,
    openAtStart,
    goodBefore,
    sharpStart: edge || goodIsEdge,
    kinds: [],
    causes: undefined,
    bad: noSamples(),
    lastBadAt: at,
    lastKind: kind,
    lastIsEdge: edge,
    sure: [],
    slow: [],
  };
}

/** `blurred`: there is an unknown tick between the last bad sample and this one, so that the outage may be two. */
export function extend(open: OpenOutage, { at, kind, edge, cause }: BadSample, blurred: boolean): void {
  if (!blurred) lengthened(open.sure, open.lastBadAt, at);
  if (open.lastKind === 'slow') lengthened(open.slow, open.lastBadAt, at);
  open.lastBadAt = at;
  open.lastKind = kind;
  open.lastIsEdge = edge;
  if (!open.kinds.includes(kind)) open.kinds.push(kind);
  if (cause !== undefined) open.causes = countCause(open.causes, cause);
  count(open.bad, edge);
}

/** An answer within this time counts as immediate (Nielsen, Usability Engineering, 1993: a tenth of a second). */
const immediateMs = 100;

/** A good answer that took long may have waited for the end of an outage, so it proves nothing before it came. */
export function waited(millis: number): number {
  return millis > immediateMs ? millis : 0;
}

export interface Closing {
  readonly to: number;
  /** The window's end, where no good sample came after. */
  readonly goodAfterAt: number;
  /** The good sample after it is of the edges. */
  readonly edge: boolean;
  readonly openAtEnd: boolean;
}

export function measuredOutage(open: OpenOutage, closing: Closing, resolutionMs: number): MeasuredOutage {
  const { to, goodAfterAt, edge, openAtEnd } = closing;
  const { bad, goodBefore } = open;
  const causes = open.causes === undefined ? [] : causesOf(open.causes, bad.interval + bad.edges);
  if (open.lastKind === 'slow') lengthened(open.slow, open.lastBadAt, to);
  const outage: Outage = {
    from: new Date(open.firstBadAt).toISOString(),
    to: new Date(to).toISOString(),
    seconds: (to - open.firstBadAt) / 1000,
    lowerSeconds: Math.max(0, totalMs(open.sure) - resolutionMs) / 1000,
    upperSeconds: (goodAfterAt - open.goodBeforeAt + resolutionMs) / 1000,
    samples: bad.interval,
    kinds: open.kinds,
    ...(causes.length === 0 ? {} : { causes }),
    ...(open.sharpStart || open.lastIsEdge || edge ? { edges: true } : {}),
    ...(open.openAtStart ? { openAtStart: true } : {}),
    ...(openAtEnd ? { openAtEnd } : {}),
  };
  return {
    outage,
    firstBadAt: open.firstBadAt,
    lastBadAt: open.lastBadAt,
    goodBeforeAt: open.goodBeforeAt,
    goodAfterAt,
    endedAt: to,
    bad: bad.interval + bad.edges,
    badEdges: bad.edges,
    goodSamplesBefore: goodBefore.interval,
    goodBefore: goodBefore.interval + goodBefore.edges,
    slowMs: totalMs(open.slow),
    ...(open.causes === undefined ? {} : { causeCounts: open.causes }),
    sure: open.sure,
    slow: open.slow,
  };
}
