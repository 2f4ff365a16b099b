import { OperationError } from '../host/errors.ts';
import { commitOf, isCommitId } from './commits.ts';
import { git } from './git.ts';
import { looseReference } from './references.ts';
import { type Run, runGit } from './run.ts';

/** Step 3 of 4.3: PREVIOUS_COMMIT is what HEAD is before anything is done. */
export async function recordPreviousCommit(run: Run): Promise<string> {
  const commit = await resolveCommit(run, 'HEAD');
  await run.progress.advance({ type: 'previous-commit-recorded', commit });
  return commit;
}

/** The same for a deploy, which may be the first one of a checkout that it has made itself: then the empty tree. */
export async function recordPreviousOrEmpty(run: Run): Promise<string> {
  if (run.settings.cloneUrl === undefined || (await commitIn(run, 'HEAD')) !== undefined)
    return recordPreviousCommit(run);
  await run.log.line('INFO', 'No previous commit: there is nothing to roll back to');
  const hash = git('hash-object', '-t', 'tree', '--', '/dev/null');
  return (await runGit(run, 'empty tree', hash, { answers: true })).stdout.trim();
}

/** The whole id of the commit behind a reference or an id; an `OperationError` where there is none, such as an unborn HEAD. */
export async function resolveCommit(run: Run, reference: string): Promise<string> {
  const commit = await commitIn(run, reference);
  if (commit !== undefined) return commit;
  throw new OperationError({
    tried: 'Finding the commit of',
    on: `${reference} in ${run.checkout.directory}`,
    cameBack: 'there is none',
  });
}

async function commitIn(run: Run, reference: string): Promise<string | undefined> {
  const loose = /^(?:HEAD|refs\/.*)$/.test(reference)
    ? await looseReference(run.host.files, run.checkout.gitFolder, reference)
    : undefined;
  if (loose !== undefined) return loose;
  const { stdout } = await runGit(run, `commit of ${reference}`, commitOf(reference), { answers: true });
  const commit = stdout.trim();
  return isCommitId(commit) ? commit : undefined;
}
