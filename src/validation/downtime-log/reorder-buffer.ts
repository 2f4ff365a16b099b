import { emptySample, type LineExtra, type LoggedSample, type OnSample } from './downtime-log.ts';

export interface ReorderBuffer {
  /** Copies the sample, so that the caller may use the record again. */
  readonly push: OnSample;
  /** Passes on what is still held back. */
  readonly flush: () => void;
  /** Whether a sample with this start, of the same target and stream, is held back. */
  readonly holds: (at: number, extra: LineExtra) => boolean;
  /** The newest start that was pushed. */
  readonly newestAt: () => number;
  /** The samples that are held back began so much later: their clock was set ahead. */
  readonly ahead: (ms: number) => void;
}

/** A line is written when its probe ends; late timers and queued writes delay that a little. */
const slackSeconds = 1;
/** How long a sample is held back at most. */
export const patienceSeconds = (timeoutSeconds: number): number => timeoutSeconds + slackSeconds;
/**
 * Enough for a thousand targets that are probed once a second with a timeout of 10 s. A log that needs more is not
 * sorted further.
 */
const mostHeld = 2 ** 14;

/**
 * Sorts the samples of a log by start. A sample is held back until one comes that started a timeout later, because the
 * lines of all samples that started earlier were written by then. Samples with the same start keep their order. The
 * record that `next` gets is used again after it returns.
 */
export function reorderBuffer(timeoutSeconds: number, next: OnSample): ReorderBuffer {
  const held = heldSamples();
  const patienceMs = patienceSeconds(timeoutSeconds) * 1000;
  let newestAt = Number.NEGATIVE_INFINITY;
  const release = (startedBefore: number, most: number) => {
    while (held.count() > 0 && (held.first().at < startedBefore || held.count() > most)) next(held.shift());
  };
  return {
    push: (sample) => {
      const { at } = sample;
      held.insert(sample);
      if (at > newestAt) newestAt = at;
      release(newestAt - patienceMs, mostHeld);
    },
    flush: () => release(Number.POSITIVE_INFINITY, 0),
    holds: held.has,
    newestAt: () => newestAt,
    ahead: (ms) => {
      held.ahead(ms);
      newestAt += ms;
    },
  };
}

/** Samples in the order of their starts. */
interface HeldSamples {
  readonly count: () => number;
  /** The earliest one. Call only if there is one. */
  readonly first: () => LoggedSample;
  /** Puts a copy behind those that started earlier or at the same time. */
  readonly insert: OnSample;
  /** Removes the earliest one, which is valid until the next `insert`. Call only if there is one. */
  readonly shift: () => LoggedSample;
  readonly has: ReorderBuffer['holds'];
  readonly ahead: ReorderBuffer['ahead'];
}

const firstSize = 64;

/** A ring whose size is a power of two. Its records are used again, so that a sample costs no allocation. */
function heldSamples(): HeldSamples {
  let ring = freeRecords(firstSize);
  let head = 0;
  let tail = 0;
  const slot = (index: number) => index & (ring.length - 1);
  return {
    count: () => tail - head,
    first: () => ring[slot(head)] as LoggedSample,
    insert: (sample) => {
      if (tail - head === ring.length) {
        ring = [...ring.slice(slot(head)), ...ring.slice(0, slot(head)), ...freeRecords(ring.length)];
        tail -= head;
        head = 0;
      }
      copy(sample, ring[slot(tail)] as LoggedSample);
      for (let index = tail++; index > head; index--) {
        const before = ring[slot(index - 1)] as LoggedSample;
        if (before.at <= sample.at) break;
        ring[slot(index - 1)] = ring[slot(index)] as LoggedSample;
        ring[slot(index)] = before;
      }
    },
    shift: () => ring[slot(head++)] as LoggedSample,
    has: (at, extra) => {
      for (let index = tail - 1; index >= head; index--) {
        const one = ring[slot(index)] as LoggedSample;
        if (one.at < at) return false;
        if (one.at === at && isSameStream(one.extra, extra)) return true;
      }
      return false;
    },
    ahead: (ms) => {
      for (let index = head; index < tail; index++) (ring[slot(index)] as LoggedSample).at += ms;
    },
  };
}

const isSameStream = (one: LineExtra, other: LineExtra): boolean =>
  one.connection === other.connection && one.edge === other.edge && one.target === other.target;

const freeRecords = (count: number): LoggedSample[] => Array.from({ length: count }, emptySample);

function copy(from: LoggedSample, to: LoggedSample): void {
  to.at = from.at;
  to.status = from.status;
  to.millis = from.millis;
  to.extra = from.extra;
  to.unknownTicks = from.unknownTicks;
}
