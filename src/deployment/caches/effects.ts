import type { Files } from '../../host/host.ts';
import { userName } from '../checkout/user-name.ts';
import type { Leaves } from '../settings/steps.ts';

/**
 * Files that are not as `leaves` requires: old ones that are still there, or a new one that is missing. `startedAt` in
 * epoch milliseconds.
 */
export async function wrongAfter(
  files: Files,
  directory: string,
  leaves: Leaves,
  startedAt: number,
): Promise<readonly string[]> {
  const path = 'absent' in leaves ? leaves.absent : leaves.present;
  const found = await matching(files, directory, path);
  // The times of a file system may lie a little behind the clock.
  const isNew = ({ modifiedAt }: Found) => modifiedAt >= startedAt - 1000;
  if ('absent' in leaves) return found.filter((file) => !isNew(file)).map((file) => file.path);
  return found.some(isNew) ? [] : [path];
}

/** What went wrong, as the reason of a failed step; with the owner of a file that was not removed. */
export async function effectSentence(
  files: Files,
  directory: string,
  leaves: Leaves,
  wrong: readonly string[],
): Promise<string> {
  const [path = ''] = wrong;
  if ('present' in leaves) return `it exited 0, but ${path} was not written`;
  const there = await files.stat(`${directory}/${path}`);
  const more = wrong.length > 1 ? ` and ${wrong.length - 1} more are` : ' is';
  const owner = there === undefined ? 'unknown' : await userName(files, there.uid);
  return `it exited 0, but ${path}${more} still there (owner ${owner})`;
}

interface Found {
  readonly path: string;
  readonly modifiedAt: number;
}

async function matching(files: Files, directory: string, path: string): Promise<readonly Found[]> {
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, slash);
  const name = new RegExp(
    `^${path
      .slice(slash + 1)
      .split('*')
      .map(RegExp.escape)
      .join('.*')}$`,
  );
  const names = (await files.list(`${directory}/${folder}`)).filter((each) => name.test(each));
  const found = await Promise.all(
    names.map(async (each) => ({
      path: `${folder}/${each}`,
      there: await files.stat(`${directory}/${folder}/${each}`),
    })),
  );
  return found.flatMap((file) =>
    file.there === undefined ? [] : [{ path: file.path, modifiedAt: file.there.modifiedAt }],
  );
}
