import { isCommitId } from '../git/commits.ts';
import {
  containing,
  countDropped,
  fetch,
  fetchAll,
  fetchedReference,
  fetchTag,
  forgetGoneBranches,
  isHindered,
  isRewritten,
} from '../git/fetch.ts';
import { reasonOf } from '../git/reason-of.ts';
import type { DeployEvent } from '../record/states.ts';
import { type Run, runGit, type Workspace } from '../run/run.ts';
import { commitIn, resolveCommit } from './resolve-commit.ts';

/**
 * Step 4 of 4.3: fetches the branch, and returns the commit that the fetch brought, or the one that the settings name
 * in its place; undefined when the run has ended with it.
 */
export async function fetchBranch(run: Run): Promise<string | undefined> {
  const { branch, commit: wanted } = run.settings;
  const options = { signal: run.interruption };
  const first = await runGit(run, 'fetch', fetch(branch), options);
  const hindered = first.exitCode !== 0 && isHindered(first.stderr);
  if (hindered) await runGit(run, 'forget gone branches', forgetGoneBranches(), options);
  const { exitCode, stderr } = hindered ? await runGit(run, 'fetch', fetch(branch), options) : first;
  if (exitCode !== 0) {
    await run.progress.advance(fetchFailed(stderr, branch));
    return undefined;
  }
  const branchCommit = await resolveCommit(run, fetchedReference);
  if (isRewritten(stderr)) await logDroppedCommits(run, branchCommit);
  const commit = wanted === undefined ? branchCommit : await fetchWanted(run, wanted);
  if (commit === undefined) {
    await run.progress.advance({ type: 'fetch-failed', because: `origin has neither a tag nor a commit ${wanted}` });
    return undefined;
  }
  const state = await run.progress.advance({ type: 'fetched', commit });
  return state === 'fetched' ? commit : undefined;
}

/** A tag of origin, or a commit of one of its branches and tags; undefined where it has neither. */
async function fetchWanted(run: Run, wanted: string): Promise<string | undefined> {
  const options = { signal: run.interruption, oneIsAnswer: true } as const;
  const tag = isCommitId(wanted) ? undefined : await runGit(run, 'fetch tag', fetchTag(wanted), options);
  // A tag with a message is an object of its own.
  if (tag?.exitCode === 0) return resolveCommit(run, `${fetchedReference}^{commit}`);
  if (!/^[0-9a-f]{7,64}$/.test(wanted)) return undefined;
  await runGit(run, 'fetch all', fetchAll(), options);
  const commit = await commitIn(run, wanted);
  if (commit === undefined) return undefined;
  const { stdout } = await runGit(run, 'where the commit is', containing(commit), { answers: true });
  return stdout.trim() === '' ? undefined : commit;
}

function fetchFailed(stderr: string, branch: string): DeployEvent {
  const because = `${reasonOf(stderr)}${branchAdvice(stderr, branch)}`;
  return because === '' ? { type: 'fetch-failed' } : { type: 'fetch-failed', because };
}

/** `origin/main` is the name of a branch in the checkout, and git takes it for one of origin too. */
export function branchAdvice(stderr: string, branch: string): string {
  const [, name] = /^(?:refs\/heads\/|origin\/)(.+)$/.exec(branch) ?? [];
  return name === undefined || !stderr.includes("couldn't find remote ref")
    ? ''
    : `; a branch is named as origin has it: ${name}`;
}

/**
 * After a forced push the deployed commit may not be in the branch any more; a reference of its own keeps it for a
 * rollback.
 */
async function logDroppedCommits(run: Workspace, commit: string): Promise<void> {
  const { stdout } = await runGit(run, 'dropped commits', countDropped(commit), { answers: true });
  if (Number(stdout) === 0) return;
  const { branch } = run.settings;
  await run.log.line(
    'INFO',
    `The history of ${branch} was rewritten: ${stdout.trim()} commits of the checkout are not in it`,
  );
}
