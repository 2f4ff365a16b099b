import { git } from '../git/git.ts';
import { type Run, runGit } from '../run/run.ts';
import { commitIn, resolveCommit } from '../tree/resolve-commit.ts';
import { linkLeadsToCheckout, liveRelease } from './live-release.ts';
import { readReleases } from './release.ts';

/** Step 3 of 4.3: records PREVIOUS_COMMIT, the present commit before anything is done. */
export async function recordPreviousCommit(run: Run): Promise<string> {
  const commit = await presentCommit(run);
  await run.progress.advance({ type: 'previous-commit-recorded', commit });
  return commit;
}

/** The commit of HEAD; in the mode `releases` that of the live release, once there is one. */
export async function presentCommit(run: Run): Promise<string> {
  return (await liveCommit(run)) ?? resolveCommit(run, 'HEAD');
}

async function liveCommit(run: Run): Promise<string | undefined> {
  const { settings, host, checkout } = run;
  if (settings.mode !== 'releases') return undefined;
  return (await liveRelease(host.files, checkout))?.commit ?? lostCommit(run);
}

/**
 * The commit that was verified last, where the folder of the live release was removed: the checkout's HEAD is older
 * than all releases.
 */
async function lostCommit({ host, checkout, trust }: Run): Promise<string | undefined> {
  const hasReleases = (await readReleases(host.files, checkout)).length > 0;
  return hasReleases && !(await linkLeadsToCheckout(host.files, checkout)) ? trust.base : undefined;
}

/**
 * The same for a deploy, which may be the first one of a checkout that has no commit yet: then the id of the empty
 * tree.
 */
export async function recordPreviousOrEmpty(run: Run): Promise<string> {
  // The HEAD of a checkout that only holds releases stays unborn.
  const mayBeFirst = run.settings.cloneUrl !== undefined || run.settings.mode === 'releases';
  if (!mayBeFirst || ((await liveCommit(run)) ?? (await commitIn(run, 'HEAD'))) !== undefined)
    return recordPreviousCommit(run);
  await run.log.line('INFO', 'No previous commit: there is nothing to roll back to');
  const hash = git('hash-object', '-t', 'tree', '--', '/dev/null');
  return (await runGit(run, 'empty tree', hash, { answers: true })).stdout.trim();
}
