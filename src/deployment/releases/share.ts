import { OperationError } from '../../host/errors.ts';
import { git } from '../git/git.ts';
import { pathsIn } from '../git/local-edits.ts';
import { runGit, runStep, type Workspace } from '../run/run.ts';
import { inRelease } from './in-release.ts';
import type { Release } from './release.ts';

/** What a copy is called until it is whole. */
export const draftPrefix = '.holdfast-shared-';

/**
 * Links the shared paths of a new release to the checkout's top. What is not there yet is first copied there from the
 * commit; a path that neither has is left out, and the log says so. Trouble is an `OperationError`.
 */
export async function share(run: Workspace, release: Release): Promise<void> {
  const missing: string[] = [];
  for (const path of run.settings.releases.shared) if (!(await sharePath(run, release, path))) missing.push(path);
  if (missing.length === 0) return;
  await run.log.line('INFO', `Neither the checkout nor the commit has what is to be shared: ${missing.join(', ')}`);
}

/** False where there is nothing to share. */
async function sharePath(run: Workspace, release: Release, path: string): Promise<boolean> {
  const { files } = run.host;
  const lasting = `${run.checkout.directory}/${path}`;
  const own = `${release.directory}/${path}`;
  if ((await files.stat(lasting)) === undefined && !(await seed(run, own, lasting))) return false;
  await demandInside(run, release, own);
  await hideTracked(inRelease(run, release), path);
  await files.remove(own);
  await files.link(own, lasting);
  return true;
}

/** Only a whole copy gets the name: a copy that is cut off is never taken for the shared files. */
async function seed(run: Workspace, own: string, lasting: string): Promise<boolean> {
  const { files } = run.host;
  if ((await files.stat(own)) === undefined) return false;
  const draft = `${run.checkout.directory}/${draftPrefix}${run.id}`;
  await files.remove(draft);
  await demand(run, 'copy shared', ['cp', '--archive', '--', own, draft]);
  await demand(run, 'sync shared', ['sync', '-f', run.checkout.directory]);
  await files.makeFolder(folderOf(lasting));
  await files.rename(draft, lasting);
  return true;
}

/** A folder of the commit that is a link would lead the new link, and the removal before it, somewhere else. */
async function demandInside(run: Workspace, { directory }: Release, own: string): Promise<void> {
  const folder = folderOf(own);
  await run.host.files.makeFolder(folder);
  if ((await run.host.files.realPath(folder)) === folder && folder.startsWith(directory)) return;
  throw new OperationError({ tried: 'Sharing', on: own, reason: 'the commit has a symbolic link above it' });
}

/** What the commit has there is behind the link from now on: git is not to call it a local edit. */
async function hideTracked(inside: Workspace, path: string): Promise<void> {
  const list = git('ls-files', '-z', '--', `:(top,literal)${path}`);
  const { stdout } = await runGit(inside, 'tracked shared files', list, { answers: true });
  if (pathsIn(stdout).length === 0) return;
  const hide = git('update-index', '-z', '--skip-worktree', '--stdin');
  await runGit(inside, 'hide shared files', hide, { answers: true, stdin: stdout });
}

async function demand(run: Workspace, name: string, command: readonly [string, ...string[]]): Promise<void> {
  const { exitCode } = await runStep(run, name, command, { env: run.settings.environment });
  if (exitCode === 0) return;
  throw new OperationError({ tried: 'Sharing', on: command.at(-1) ?? '', reason: `exit code ${exitCode}` });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
