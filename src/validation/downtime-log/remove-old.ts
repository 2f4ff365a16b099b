import type { Files } from '../../host/host.ts';

/** How much of a log is kept: of all its files together, and for how long after their last line. */
export interface Kept {
  readonly bytes?: number;
  readonly seconds?: number;
}

/** What a rotation adds to the name of a log, `-20261120T100000Z`, and what compressing adds to that. */
const rotated = /^-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(\.\d+)?(\.gz|\.zst)?$/;

/** The time of a rotation, epoch milliseconds, by what follows the name of the log. */
function rotatedAt(rest: string): number | undefined {
  const [, year, month, day, hour, minute, second] = rotated.exec(rest) ?? [];
  return year === undefined ? undefined : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/**
 * Removes the oldest rotated files of a log: those that are more than what is kept beside so many bytes of the log
 * itself, and those that are too old. Files of other names stay. Returns the paths of those that it removed.
 */
export async function removeOld(
  files: Pick<Files, 'list' | 'stat' | 'remove'>,
  path: string,
  { bytes = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY }: Kept,
  { nowAt, ownBytes }: { readonly nowAt: number; readonly ownBytes: number },
): Promise<readonly string[]> {
  const removed: string[] = [];
  let total = ownBytes;
  for (const { file, at } of await rotatedFiles(files, path)) {
    total += (await files.stat(file))?.sizeBytes ?? 0;
    if (total <= bytes && nowAt - at <= seconds * 1000) continue;
    await files.remove(file);
    removed.push(file);
  }
  return removed;
}

/** The newest first. */
async function rotatedFiles(files: Pick<Files, 'list'>, path: string) {
  const end = path.lastIndexOf('/') + 1;
  const [folder, own] = [path.slice(0, end), path.slice(end)];
  const names = await files.list(folder === '' ? '.' : folder);
  const found = names.flatMap((name) => {
    const at = name.startsWith(own) ? rotatedAt(name.slice(own.length)) : undefined;
    return at === undefined ? [] : [{ file: `${folder}${name}`, at }];
  });
  return found.toSorted((one, other) => other.at - one.at || (one.file < other.file ? 1 : -1));
}
