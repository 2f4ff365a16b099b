import { OperationError } from '../host/errors.ts';
import { commitOf, isCommitId } from './commits.ts';
import { type Run, runGit } from './run.ts';

/** Step 3 of 4.3: PREVIOUS_COMMIT is what HEAD is before anything is done. */
export async function recordPreviousCommit(run: Run): Promise<string> {
  const commit = await resolveCommit(run, 'HEAD');
  await run.progress.advance({ type: 'previous-commit-recorded', commit });
  return commit;
}

/** The whole id of the commit behind a reference or an id; an `OperationError` where there is none, such as an unborn HEAD. */
export async function resolveCommit(run: Run, reference: string): Promise<string> {
  const { stdout } = await runGit(run, `commit of ${reference}`, commitOf(reference), { answers: true });
  const commit = stdout.trim();
  if (isCommitId(commit)) return commit;
  throw new OperationError({
    tried: 'Finding the commit of',
    on: `${reference} in ${run.checkout.directory}`,
    cameBack: 'there is none',
  });
}
