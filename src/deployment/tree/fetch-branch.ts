import { countDropped, fetch, fetchedReference, forgetGoneBranches, isHindered, isRewritten } from '../git/fetch.ts';
import { reasonOf } from '../git/reason-of.ts';
import type { DeployEvent } from '../record/states.ts';
import { type Run, runGit, type Workspace } from '../run/run.ts';
import { resolveCommit } from './resolve-commit.ts';

/** Step 4 of 4.3: fetches the branch, and returns the commit that the fetch brought; undefined when the run has ended with it. */
export async function fetchBranch(run: Run): Promise<string | undefined> {
  const { branch } = run.settings;
  const options = { signal: run.interruption };
  const first = await runGit(run, 'fetch', fetch(branch), options);
  const hindered = first.exitCode !== 0 && isHindered(first.stderr);
  if (hindered) await runGit(run, 'forget gone branches', forgetGoneBranches(), options);
  const { exitCode, stderr } = hindered ? await runGit(run, 'fetch', fetch(branch), options) : first;
  if (exitCode !== 0) {
    await run.progress.advance(fetchFailed(stderr));
    return undefined;
  }
  const commit = await resolveCommit(run, fetchedReference);
  if (isRewritten(stderr)) await logDroppedCommits(run, commit);
  const state = await run.progress.advance({ type: 'fetched', commit });
  return state === 'fetched' ? commit : undefined;
}

function fetchFailed(stderr: string): DeployEvent {
  const because = reasonOf(stderr);
  return because === '' ? { type: 'fetch-failed' } : { type: 'fetch-failed', because };
}

/** After a forced push the deployed commit may not be in the branch any more; a reference of its own keeps it for a rollback. */
async function logDroppedCommits(run: Workspace, commit: string): Promise<void> {
  const { stdout } = await runGit(run, 'dropped commits', countDropped(commit), { answers: true });
  if (Number(stdout) === 0) return;
  const { branch } = run.settings;
  await run.log.line(
    'INFO',
    `The history of ${branch} was rewritten: ${stdout.trim()} commits of the checkout are not in it`,
  );
}
