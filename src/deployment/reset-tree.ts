import { neighboursUmask } from './blast-radius/permissions.ts';
import { reset } from './reset.ts';
import { type Run, runGit } from './run.ts';

/** Resets to a commit; the files that are written get the permissions of those that are there. False when git failed. */
export async function resetTree(run: Run, step: string, commit: string): Promise<boolean> {
  const umask = await neighboursUmask(run, []);
  const { exitCode } = await runGit(run, step, reset(commit), umask === undefined ? {} : { umask });
  return exitCode === 0;
}
