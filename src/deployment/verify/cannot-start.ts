import { cacheFolderTrouble } from '../run/cache-folders.ts';
import { environmentTrouble } from '../run/environment-file.ts';
import { programTrouble } from '../run/missing-programs.ts';
import type { Workspace } from '../run/run.ts';
import { hasLargeFiles } from '../tree/follow-up.ts';

type Given = Pick<Workspace, 'host' | 'settings' | 'checkout'>;

/** What a deploy needs beside its commit. */
export interface Need {
  /** As the check of `doctor` is called. */
  readonly name: string;
  /** Why it is not there, as a sentence; `commit` is the one that is to come, where that is known. */
  readonly trouble: (given: Given, commit?: string) => Promise<string | undefined>;
}

/**
 * All of it. A deploy and a rollback look for it before they change anything, `deploy --dry-run` and `doctor` at any
 * time: what is added here is added to all of them.
 */
export const needs: readonly Need[] = [
  { name: 'env', trouble: environmentTrouble },
  { name: 'program', trouble: programTrouble },
  { name: 'caches', trouble: cacheFolderTrouble },
  { name: 'lfs', trouble: (given, commit = 'HEAD') => largeFilesTrouble(given, commit) },
];

/**
 * Ends the run, before it changes anything, where neither this commit nor another could start, whatever it holds: its
 * caches would be built without their environment, or not at all. No commit is quarantined for that. Returns whether it
 * has ended.
 */
export async function cannotStart(run: Workspace, commit: string): Promise<boolean> {
  const troubles = await Promise.all(needs.map(({ trouble }) => trouble(run, commit)));
  const trouble = troubles.find((each) => each !== undefined);
  if (trouble === undefined) return false;
  const because = `${trouble} No commit could start with that, so nothing was changed`;
  await run.progress.advance({ type: 'refused', because, exitCode: 2 });
  return true;
}

/** Why files of the commit would be pointers, as a sentence; undefined where git-lfs is there, or none is one. */
async function largeFilesTrouble(
  run: Pick<Workspace, 'host' | 'checkout'>,
  commit: string,
): Promise<string | undefined> {
  if (!(await hasLargeFiles(run, commit))) return undefined;
  const { directory, gitEnvironment } = run.checkout;
  const options = { cwd: directory, env: gitEnvironment, timeoutSeconds: 30 };
  const { exitCode } = await run.host.run(['git', 'lfs', 'version'], options);
  return exitCode === 0
    ? undefined
    : 'The commit has large files (filter=lfs), and git-lfs is not installed: visitors would get pointers. Install git-lfs.';
}
