import { OperationError } from '../../host/errors.ts';
import { git } from '../git/git.ts';
import { pathsIn } from '../git/local-edits.ts';
import { listByGit, runGit, runStep, type Workspace } from '../run/run.ts';
import { makeOpenFolder } from '../tree/permissions.ts';
import { inRelease } from './in-release.ts';
import type { Release } from './release.ts';

/** The name of a copy begins so until it is complete. */
export const draftPrefix = '.holdfast-shared-';

/**
 * Links the shared paths of a new release to the checkout's top. A path that is not there yet is first copied there
 * from the commit; a path that neither has is left out and logged. A failure is an `OperationError`.
 */
export async function share(run: Workspace, release: Release): Promise<void> {
  const missing: string[] = [];
  for (const path of run.settings.releases.shared) if (!(await sharePath(run, release, path))) missing.push(path);
  if (missing.length === 0) return;
  await run.log.line('INFO', `Neither the checkout nor the commit has what is to be shared: ${missing.join(', ')}`);
}

/** False where neither the checkout nor the commit has the path. */
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

/**
 * Copies the path to the checkout's top. Only a complete copy gets the name. False where the commit does not have it.
 */
async function seed(run: Workspace, own: string, lasting: string): Promise<boolean> {
  const { files } = run.host;
  if ((await files.stat(own)) === undefined) return false;
  const draft = `${run.checkout.directory}/${draftPrefix}${run.id}`;
  await files.remove(draft);
  await demand(run, 'copy shared', ['cp', '--archive', '--', own, draft]);
  await demand(run, 'sync shared', ['sync', '-f', run.checkout.directory]);
  await makeOpenFolder(run, folderOf(lasting));
  await files.rename(draft, lasting);
  return true;
}

/** Refuses a path below a symbolic link of the commit: the removal and the new link would be made elsewhere. */
async function demandInside(run: Workspace, { directory }: Release, own: string): Promise<void> {
  const folder = folderOf(own);
  await makeOpenFolder(run, folder);
  if ((await run.host.files.realPath(folder)) === folder && folder.startsWith(directory)) return;
  throw new OperationError({ tried: 'Sharing', on: own, reason: 'the commit has a symbolic link above it' });
}

/** Hides the commit's own files at a shared path from git, which would report them as local edits. */
async function hideTracked(inside: Workspace, path: string): Promise<void> {
  const list = git('ls-files', '-z', '--', `:(top,literal)${path}`);
  const listed = await listByGit(inside, 'tracked shared files', list);
  if (pathsIn(listed).length === 0) return;
  const hide = git('update-index', '-z', '--skip-worktree', '--stdin');
  await runGit(inside, 'hide shared files', hide, { answers: true, stdin: listed });
}

async function demand(run: Workspace, name: string, command: readonly [string, ...string[]]): Promise<void> {
  const { exitCode } = await runStep(run, name, command, { env: run.settings.environment });
  if (exitCode === 0) return;
  throw new OperationError({ tried: 'Sharing', on: command.at(-1) ?? '', reason: `exit code ${exitCode}` });
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
