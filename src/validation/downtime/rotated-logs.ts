import { decompressed } from '../../host/decompressed.ts';
import type { Files } from '../../host/host.ts';
import { dateText } from '../loop-log/date-text.ts';

/** The files that one monitor wrote, one after the other. */
export interface RotatedLog {
  /** Of the file that is written to: `downtime.log` for `downtime.log.2.gz`. */
  readonly name: string;
  readonly paths: readonly string[];
}

/** What a rotation appends: a number, or a date with a time and a number, after `.` or `-`. */
const rotation = /[.-](\d{1,6}|\d{8}(T?\d{4,9}Z?)?([.-]\d+)?|\d{4}-\d\d-\d\d(T[\d:.-]+Z?)?)$/;
const compression = /\.(gz|zst)$/;

/** Groups files by the log of which they are parts, as `monitor --rotate` and logrotate name them. */
export function rotatedLogs(paths: readonly string[]): readonly RotatedLog[] {
  const groups = Map.groupBy(new Set(paths), (path) => path.replace(compression, '').replace(rotation, ''));
  return [...groups].map(([name, parts]) => ({ name, paths: parts }));
}

/**
 * The files in the order of the first times that no other file may have too; those without a time are left where they
 * are, at the end.
 */
export async function inOrder(files: Files, paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length < 2) return paths;
  const dated = await Promise.all(paths.map(async (path) => ({ path, at: await firstAt(files, path) })));
  return dated.sort((a, b) => (a.at === b.at ? 0 : a.at - b.at)).map(({ path }) => path);
}

async function firstAt(files: Files, path: string): Promise<number> {
  for await (const chunk of decompressed(path, files.chunks(path))) {
    const lines = Buffer.from(chunk).toString('latin1').split('\n');
    const found = lines.find((line) => !/^#| again=yes$/.test(line) && dateText(line) !== undefined);
    if (found !== undefined) return dateText(found)?.at ?? Number.POSITIVE_INFINITY;
  }
  return Number.POSITIVE_INFINITY;
}
