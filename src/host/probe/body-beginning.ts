import type { Sink } from './body-framing.ts';

/** Counts the bytes of a body and keeps the first of them, which are enough to see whether it is the right page; the rest is read and dropped. */
export function bodyBeginning(mostKeptBytes: number): {
  readonly take: Sink;
  readonly text: () => string;
  readonly length: () => number;
} {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let length = 0;
  return {
    take: (bytes) => {
      length += bytes.length;
      if (keptBytes >= mostKeptBytes) return;
      kept.push(bytes.subarray(0, mostKeptBytes - keptBytes));
      keptBytes += bytes.length;
    },
    text: () => Buffer.concat(kept).toString('utf8'),
    length: () => length,
  };
}
