import type { Sink } from './body-framing.ts';

/** A body's beginning is enough to see whether it is the right page; the rest is read and dropped. */
const mostKeptBytes = 64 * 1024;

/** Keeps the first 64 KiB of what it takes. */
export function bodyBeginning(): { readonly take: Sink; readonly text: () => string } {
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
