import { longestGapIntervals } from './longest-gap.ts';
import type { QuietRun, QuietSettings } from './quiet-run.ts';
import { patienceSeconds } from './reorder-buffer.ts';

/** Answers that take longer are counted one by one. */
const longestMs = 2 ** 16;
/** So many samples may wait for the end of the margin; a run with more is ended. */
const mostWaiting = 2 ** 16;

/** Makes runs of quiet lines. */
export interface QuietCollector {
  /** A good sample that began at `at`, and whose line begins at that byte. */
  readonly sample: (at: number, millis: number, byte: number) => void;
  /** A sample on a kept connection. */
  readonly kept: (at: number, byte: number) => void;
  /** Any other line. */
  readonly interrupt: () => void;
  readonly longestMs: number;
}

/** A place between two lines. */
interface Place {
  byte: number;
  at: number;
  /** The last sample before it. */
  sampleAt: number;
  readonly waiting: Uint32Array;
  count: number;
}

interface Collecting {
  readonly settings: QuietSettings;
  readonly marginMs: number;
  readonly gapMs: number;
  readonly counts: Uint32Array;
  readonly keep: (counts: Uint32Array) => Uint32Array;
  /** NaN between two runs. */
  newestAt: number;
  sampleAt: number;
  /** The run may begin after this instant. */
  marginEndsAt: number;
  /** NaN until the run's first sample. */
  firstAt: number;
  firstMillis: number;
  fromByte: number;
  /** The run may end here. */
  safe: Place;
  /** And here, as soon as the margin behind it is long enough. */
  next: Place;
  counted: number;
}

/** The margin on either side is longer than any sample is held back to be sorted. */
export function quietCollector(settings: QuietSettings, found: (run: QuietRun) => void): QuietCollector {
  const marginMs = patienceSeconds(settings.timeoutSeconds) * 1000 + 1;
  const gapMs = longestGapIntervals * settings.intervalSeconds * 1000;
  const mostMs = Math.min(longestMs, Math.floor(settings.slowSeconds * 1000));
  const collecting: Collecting = {
    settings,
    marginMs,
    gapMs,
    counts: new Uint32Array(mostMs + 1),
    keep: latencyKeeper(),
    newestAt: Number.NaN,
    sampleAt: Number.NaN,
    marginEndsAt: Number.NaN,
    firstAt: Number.NaN,
    firstMillis: 0,
    fromByte: 0,
    safe: place(),
    next: place(),
    counted: 0,
  };
  const interrupt = () => {
    if (collecting.counted > 0) found(runOf(collecting));
    clear(collecting);
  };
  return {
    sample: (at, millis, byte) => {
      const follows = at >= collecting.newestAt && !(at - collecting.sampleAt > gapMs);
      if (!follows || collecting.next.count === mostWaiting) interrupt();
      take(collecting, at, byte);
      collecting.sampleAt = at;
      if (at <= collecting.marginEndsAt) return;
      if (Number.isNaN(collecting.firstAt)) begin(collecting, at, millis, byte);
      const { next } = collecting;
      next.waiting[next.count++] = millis;
    },
    kept: (at, byte) => {
      if (!(at >= collecting.newestAt)) interrupt();
      take(collecting, at, byte);
    },
    interrupt,
    longestMs: mostMs,
  };
}

const place = (): Place => ({
  byte: 0,
  at: Number.NaN,
  sampleAt: Number.NaN,
  waiting: new Uint32Array(mostWaiting),
  count: 0,
});

/** The line that begins at that byte belongs to the run, or begins a new one. */
function take(collecting: Collecting, at: number, byte: number): void {
  if (Number.isNaN(collecting.newestAt)) collecting.marginEndsAt = at + collecting.marginMs;
  collecting.newestAt = at;
  if (at - collecting.next.at >= collecting.marginMs) advance(collecting, at, byte);
}

function begin(collecting: Collecting, at: number, millis: number, byte: number): void {
  collecting.firstAt = at;
  collecting.firstMillis = millis;
  collecting.fromByte = byte;
  mark(collecting.safe, byte, at, Number.NaN);
  mark(collecting.next, byte, at, Number.NaN);
}

function mark(one: Place, byte: number, at: number, sampleAt: number): void {
  one.byte = byte;
  one.at = at;
  one.sampleAt = sampleAt;
  one.count = 0;
}

/** The lines before the next place are far enough from this one: they belong to the run whatever comes. */
function advance(collecting: Collecting, at: number, byte: number): void {
  const { safe, next, counts } = collecting;
  for (let index = 0; index < safe.count; index++) {
    const millis = safe.waiting[index] as number;
    counts[millis] = (counts[millis] as number) + 1;
  }
  collecting.counted += safe.count;
  collecting.safe = next;
  collecting.next = safe;
  mark(safe, byte, at, collecting.sampleAt);
}

function runOf({ settings, fromByte, safe, firstAt, firstMillis, counted, counts, keep }: Collecting): QuietRun {
  const { byte: toByte, sampleAt: lastAt } = safe;
  return {
    settings,
    fromByte,
    toByte,
    firstAt,
    lastAt,
    firstMillis,
    count: counted,
    latencies: keep(counts),
  };
}

/** There may be very many runs: a memory of its own for the few latencies of each would cost more than they do. */
const blockNumbers = 16 * 1024;

/** Keeps the counts that are not 0 in blocks of memory, with the milliseconds of each before it. */
function latencyKeeper(): (counts: Uint32Array) => Uint32Array {
  let block = new Uint32Array();
  let used = 0;
  return (counts) => {
    if (block.length - used < 2 * counts.length) {
      block = new Uint32Array(Math.max(blockNumbers, 2 * counts.length));
      used = 0;
    }
    const begun = used;
    for (let millis = 0; millis < counts.length; millis++) {
      const count = counts[millis] as number;
      if (count === 0) continue;
      block[used++] = millis;
      block[used++] = count;
    }
    return block.subarray(begun, used);
  };
}

function clear(collecting: Collecting): void {
  if (collecting.counted > 0) collecting.counts.fill(0);
  collecting.counted = 0;
  collecting.newestAt = Number.NaN;
  collecting.sampleAt = Number.NaN;
  collecting.firstAt = Number.NaN;
  mark(collecting.safe, 0, Number.NaN, Number.NaN);
  mark(collecting.next, 0, Number.NaN, Number.NaN);
}
