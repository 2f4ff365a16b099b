import { OperationError } from '../../host/errors.ts';
import { commitOf, isCommitId } from '../git/commits.ts';
import { looseReference } from '../git/references.ts';
import { runGit, type Workspace } from '../run/run.ts';

/**
 * The whole id of the commit behind a reference or an id; an `OperationError` where there is none, such as an unborn
 * HEAD.
 */
export async function resolveCommit(run: Workspace, reference: string): Promise<string> {
  const commit = await commitIn(run, reference);
  if (commit !== undefined) return commit;
  throw new OperationError({
    tried: 'Finding the commit of',
    on: `${reference} in ${run.checkout.directory}`,
    reason: 'there is none',
    ...(reference === 'HEAD'
      ? { next: 'The first deploy of a checkout that has no commit yet takes --clone URL' }
      : {}),
  });
}

/** The same, but undefined where there is none. */
export async function commitIn(run: Workspace, reference: string): Promise<string | undefined> {
  const loose = /^(?:HEAD|refs\/.*)$/.test(reference)
    ? await looseReference(run.host.files, run.checkout.gitFolder, reference)
    : undefined;
  if (loose !== undefined) return loose;
  const { stdout } = await runGit(run, `commit of ${reference}`, commitOf(reference), {
    answers: true,
    oneIsAnswer: true,
  });
  const commit = stdout.trim();
  return isCommitId(commit) ? commit : undefined;
}
