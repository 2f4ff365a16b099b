import { countDropped, fetch, fetchedReference, forgetGoneBranches, isHindered, isRewritten } from '../git/fetch.ts';
import { type Run, runGit, type Workspace } from '../run/run.ts';
import { resolveCommit } from './resolve-commit.ts';

/** The commit that this fetch brought; undefined when the run ended here. */
export async function fetchBranch(run: Run): Promise<string | undefined> {
  const { branch } = run.settings;
  const options = { signal: run.interruption };
  const first = await runGit(run, 'fetch', fetch(branch), options);
  const hindered = first.exitCode !== 0 && isHindered(first.stderr);
  if (hindered) await runGit(run, 'forget gone branches', forgetGoneBranches(), options);
  const { exitCode, stderr } = hindered ? await runGit(run, 'fetch', fetch(branch), options) : first;
  if (exitCode !== 0) {
    await run.progress.advance({ type: 'fetch-failed' });
    return undefined;
  }
  const commit = await resolveCommit(run, fetchedReference);
  if (isRewritten(stderr)) await tellDropped(run, commit);
  const state = await run.progress.advance({ type: 'fetched', commit });
  return state === 'fetched' ? commit : undefined;
}

/** A branch that was forced may have lost what is deployed here; the rollback's commit is pinned. */
async function tellDropped(run: Workspace, commit: string): Promise<void> {
  const { stdout } = await runGit(run, 'dropped commits', countDropped(commit), { answers: true });
  if (Number(stdout) === 0) return;
  const { branch } = run.settings;
  await run.log.line(
    'INFO',
    `The history of ${branch} was rewritten: ${stdout.trim()} commits of the checkout are not in it`,
  );
}
