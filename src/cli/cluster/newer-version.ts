import { UsageError } from '../../host/errors.ts';

/**
 * A `UsageError` where a newer version wrote the run folder: an undo may need what this version does not know. Reports
 * are made of what is understood.
 */
export function refuseNewer(folder: string, written: string, own: string): void {
  if (!isNewer(written, own)) return;
  throw new UsageError([
    `${folder} was written by holdfast ${written}, and this is ${own}: recover with that version, which knows what has to be undone.`,
  ]);
}

/** By Semantic Versioning; what is no version is not newer. */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const at = a.findIndex((number, index) => number !== b[index]);
  return b.length > 0 && at !== -1 && (a[at] ?? 0) > (b[at] ?? 0);
}

const numbersOf = (version: string): readonly number[] =>
  /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [];
