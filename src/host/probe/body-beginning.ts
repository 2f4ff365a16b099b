import type { Sink } from './body-framing.ts';

/** Keeps the first bytes of a body, which are enough to see whether it is the right page; the rest is read and dropped. */
export function bodyBeginning(mostKeptBytes: number): { readonly take: Sink; readonly text: () => string } {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  return {
    take: (bytes) => {
      if (keptBytes >= mostKeptBytes) return;
      kept.push(bytes.subarray(0, mostKeptBytes - keptBytes));
      keptBytes += bytes.length;
    },
    text: () => Buffer.concat(kept).toString('utf8'),
  };
}
