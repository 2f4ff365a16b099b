import { longestGapIntervals } from './longest-gap.ts';
import type { QuietRun, QuietSettings } from './quiet-run.ts';
import { patienceSeconds } from './reorder-buffer.ts';

/** Answers that take longer are counted one by one. */
const longestMs = 2 ** 16;
/** A run with more samples is ended. */
const mostSamples = 2 ** 16;

/** Makes runs of quiet lines. */
export interface QuietCollector {
  /** A good sample that began at `at`, and whose line begins at that byte. */
  readonly sample: (at: number, millis: number, byte: number) => void;
  /** A sample on a kept connection. */
  readonly kept: (at: number) => void;
  /** Any other line. */
  readonly interrupt: () => void;
  /** Where it stands, for who takes many samples at once. */
  readonly collecting: Collecting;
}

export interface Collecting {
  readonly gapMs: number;
  /** A sample that took longer is not quiet. */
  readonly longestMs: number;
  /** Of each sample since the run began. */
  readonly starts: Float64Array;
  readonly millis: Uint32Array;
  readonly bytes: Float64Array;
  count: number;
  /** The newest start of a line and of a sample on a new connection; NaN between two runs. */
  newestAt: number;
  sampleAt: number;
  /** The run may begin after this instant. */
  marginEndsAt: number;
}

/** The margin on either side is longer than any sample is held back to be sorted. */
export function quietCollector(settings: QuietSettings, found: (run: QuietRun) => void): QuietCollector {
  const marginMs = patienceSeconds(settings.timeoutSeconds) * 1000 + 1;
  const collecting: Collecting = {
    gapMs: longestGapIntervals * settings.intervalSeconds * 1000,
    longestMs: Math.min(longestMs, Math.floor(settings.slowSeconds * 1000)),
    starts: new Float64Array(mostSamples),
    millis: new Uint32Array(mostSamples),
    bytes: new Float64Array(mostSamples),
    count: 0,
    newestAt: Number.NaN,
    sampleAt: Number.NaN,
    marginEndsAt: Number.NaN,
  };
  const latencies = latencyCounter(collecting);
  const interrupt = () => {
    const count = countBefore(collecting, collecting.newestAt - marginMs);
    if (count > 0) found(runOf(settings, collecting, count, latencies(count)));
    collecting.count = 0;
    collecting.newestAt = collecting.sampleAt = Number.NaN;
  };
  const take = (at: number) => {
    if (Number.isNaN(collecting.newestAt)) collecting.marginEndsAt = at + marginMs;
    collecting.newestAt = at;
  };
  return {
    sample: (at, millis, byte) => {
      const follows = at >= collecting.newestAt && !(at - collecting.sampleAt > collecting.gapMs);
      if (!follows || collecting.count === mostSamples) interrupt();
      take(at);
      collecting.sampleAt = at;
      if (at > collecting.marginEndsAt) add(collecting, at, millis, byte);
    },
    kept: (at) => {
      if (!(at >= collecting.newestAt)) interrupt();
      take(at);
    },
    interrupt,
    collecting,
  };
}

function add(collecting: Collecting, at: number, millis: number, byte: number): void {
  const { count } = collecting;
  collecting.starts[count] = at;
  collecting.millis[count] = millis;
  collecting.bytes[count] = byte;
  collecting.count = count + 1;
}

/**
 * How many samples belong to the run whatever comes: those before the last one that began at that instant or earlier.
 */
function countBefore({ starts, count }: Collecting, at: number): number {
  let last = count - 1;
  while (last > 0 && (starts[last] as number) > at) last -= 1;
  return Math.max(0, last);
}

function runOf(
  settings: QuietSettings,
  { starts, millis, bytes }: Collecting,
  count: number,
  latencies: Uint32Array,
): QuietRun {
  return {
    settings,
    fromByte: bytes[0] as number,
    toByte: bytes[count] as number,
    firstAt: starts[0] as number,
    lastAt: starts[count - 1] as number,
    firstMillis: millis[0] as number,
    count,
    latencies,
  };
}

/** There may be very many runs: a memory of its own for the few latencies of each would cost more than they do. */
const blockNumbers = 16 * 1024;

/**
 * Counts how long the first samples took, and keeps what is not 0 in blocks of memory, with the milliseconds before it.
 */
function latencyCounter({ millis, longestMs: mostMs }: Collecting): (count: number) => Uint32Array {
  const counts = new Uint32Array(mostMs + 1);
  let block = new Uint32Array();
  let used = 0;
  return (count) => {
    const end = 1 + countAll(millis, count, counts);
    if (block.length - used < 2 * end) {
      block = new Uint32Array(Math.max(blockNumbers, 2 * end));
      used = 0;
    }
    const begun = used;
    for (let one = 0; one < end; one++) {
      if (counts[one] === 0) continue;
      block[used++] = one;
      block[used++] = counts[one] as number;
    }
    counts.fill(0, 0, end);
    return block.subarray(begun, used);
  };
}

/** Returns the largest. */
function countAll(millis: Uint32Array, count: number, counts: Uint32Array): number {
  let most = 0;
  for (let index = 0; index < count; index++) {
    const one = millis[index] as number;
    counts[one] = (counts[one] as number) + 1;
    most = Math.max(most, one);
  }
  return most;
}
