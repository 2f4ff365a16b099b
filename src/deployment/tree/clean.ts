import { OperationError } from '../../host/errors.ts';
import { git } from '../git/git.ts';
import { localEdits, patchOfLocalEdits, pathsIn } from '../git/local-edits.ts';
import { evidenceFolder } from '../run/evidence.ts';
import { listByGit, runGit, runStep, type Workspace } from '../run/run.ts';
import { keepUnseen, unseenFiles } from './hidden-edits.ts';
import { resetTree } from './reset-tree.ts';

/**
 * The optional pre-step of 4.3, in its order: ownership of all files, a hard reset, untracked files and folders. They
 * are moved aside, not removed; files that git ignores stay.
 */
export async function clean(run: Workspace, head: string): Promise<void> {
  await resetOwnership(run);
  await resetTracked(run, head);
  await moveUntracked(run);
}

/** Gives the files that belong to another user to the command of the settings, by name. */
async function resetOwnership(run: Workspace): Promise<void> {
  const foreign = await foreignFiles(run);
  if (foreign.length === 0) return;
  const { ownership } = run.settings.clean;
  await run.log.line('INFO', `Files that belong to another user: ${foreign.length}`);
  if (ownership !== undefined) {
    await runStep(run, 'ownership', ownership, { env: run.settings.environment, stdin: foreign.join('\0') });
  }
  const left = ownership === undefined ? foreign : await foreignFiles(run);
  if (left.length === 0) return;
  throw new OperationError({
    tried: 'Taking ownership of',
    on: `${left.length} files, such as ${left[0]}`,
    reason:
      ownership === undefined
        ? 'deployment.clean.ownership names no command for it'
        : 'they still belong to another user',
  });
}

async function foreignFiles(run: Workspace): Promise<readonly string[]> {
  const { directory, self } = run.checkout;
  const find = ['find', directory, '-xdev', '!', '-uid', String(self.userId), '-print0'] as const;
  return pathsIn((await runStep(run, 'foreign files', find, { env: run.settings.environment, answers: true })).stdout);
}

async function resetTracked(run: Workspace, head: string): Promise<void> {
  const edited = pathsIn(await listByGit(run, 'local edits', localEdits()));
  if (edited.length > 0) {
    await run.host.files.makeFolder(evidenceFolder(run), { mode: 0o700 });
    const patch = `${evidenceFolder(run)}/local-edits.patch`;
    await run.log.line('INFO', `Local edits that are discarded, kept in ${patch}: ${edited.length}`);
    await run.log.output(`${edited.join('\n')}\n`);
    await demand(run, 'keep local edits', (await runGit(run, 'keep local edits', patchOfLocalEdits(patch))).exitCode);
  }
  await keepUnseen(run, await unseenFiles(run), []);
  await run.journal.intend({ type: 'reset-intended', from: head, to: head });
  await demand(run, 'clean reset', (await resetTree(run, 'clean reset', head)) === undefined ? 0 : 1);
}

async function moveUntracked(run: Workspace): Promise<void> {
  const { directory } = run.checkout;
  const paths = await untracked(run);
  if (paths.length === 0) return;
  const folder = `${evidenceFolder(run)}/untracked`;
  await run.log.line('INFO', `Untracked files and folders, moved to ${folder}: ${paths.length}`);
  await run.log.output(`${paths.join('\n')}\n`);
  for (const path of paths) {
    const to = `${folder}/${path}`.replace(/\/$/, '');
    await run.host.files.makeFolder(to.slice(0, to.lastIndexOf('/')), { mode: 0o700 });
    await run.host.files.rename(`${directory}/${path}`.replace(/\/$/, ''), to);
  }
}

/** Untracked files and folders, without ignored ones and nested repositories. */
async function untracked(run: Workspace): Promise<readonly string[]> {
  const list = git('ls-files', '-z', '--others', '--exclude-standard', '--directory', '--no-empty-directory');
  const paths = pathsIn(await listByGit(run, 'untracked files', list));
  const repositories = await Promise.all(
    paths.map((path) => path.endsWith('/') && run.host.files.stat(`${run.checkout.directory}/${path}.git`)),
  );
  return paths.filter((_, index) => !repositories[index]);
}

async function demand(run: Workspace, what: string, exitCode: number): Promise<void> {
  if (exitCode === 0) return;
  throw new OperationError({
    tried: 'Cleaning',
    on: run.checkout.directory,
    reason: `${what} ended with exit code ${exitCode}`,
  });
}
