import { UsageError } from '../../host/errors.ts';
import { type LineExtra, parseExtra } from './downtime-log.ts';

export const newConnection: LineExtra = { connection: 'new' };

/**
 * Reads the words of a line; undefined for a torn one. Without a header a line that names a target is a `UsageError`.
 */
export type LineExtras = (words: string, lacksHeader: boolean) => LineExtra | undefined;

/** Lines with phases all differ, so the memory for read extras is bounded; other extras are few. */
const mostKnownExtras = 16_384;

export function lineExtras(): LineExtras {
  const known = new Map<string, LineExtra | undefined>();
  return (words, lacksHeader) => {
    if (known.has(words)) return known.get(words);
    if (known.size >= mostKnownExtras) known.clear();
    const extra = parseExtra(words);
    if (lacksHeader) refuseTarget(extra?.target);
    known.set(words, extra);
    return extra;
  };
}

/** A named target may be the control target or a further one; only the header says which. */
export function refuseTarget(target: string | undefined): void {
  if (target !== undefined)
    throw new UsageError([
      `the log names the target ${target}, but its header is missing, which says whether that target counts`,
    ]);
}
