import type { Difference } from '../git/differences.ts';
import { git } from '../git/git.ts';
import { pathsIn } from '../git/local-edits.ts';
import { runGit, type Workspace } from '../run/run.ts';

/** How many files are looked at: one mistake makes them all wrong. */
const sample = 20;

/** The mask that gives new files the permissions of those that are there; undefined where there is none. */
export async function neighboursUmask(run: Workspace, differing: readonly Difference[]): Promise<number | undefined> {
  const modified = differing.filter(({ letter }) => letter === 'M').map(({ path }) => path);
  return (await maskOf(run, modified)) ?? maskOf(run, await filesAtTheTop(run));
}

async function filesAtTheTop(run: Workspace): Promise<readonly string[]> {
  const { stdout } = await runGit(run, 'files at the top', git('ls-files', '-z', '--', ':(top,glob)*'), {
    answers: true,
  });
  return pathsIn(stdout);
}

async function maskOf(run: Workspace, paths: readonly string[]): Promise<number | undefined> {
  for (const path of paths.slice(0, sample)) {
    const there = await run.host.files.stat(`${run.checkout.directory}/${path}`);
    if (there?.kind === 'file') return 0o666 & ~there.mode;
  }
  return undefined;
}

/** Says in the log which of the new files another user could not read as before, or are not ours. */
export async function tellPermissions(
  run: Workspace,
  differences: readonly Difference[],
  umask: number | undefined,
): Promise<void> {
  const wrong: string[] = [];
  for (const { path } of differences.filter(({ letter }) => letter !== 'D').slice(0, sample)) {
    const there = await run.host.files.stat(`${run.checkout.directory}/${path}`);
    if (there?.kind !== 'file') continue;
    const expected = 0o666 & ~(umask ?? 0o022);
    if (there.uid !== run.checkout.self.userId || (there.mode & expected) !== expected) wrong.push(path);
  }
  if (wrong.length === 0) return;
  await run.log.line('ERROR', `New files without the permissions or the owner of the others: ${wrong.length}`);
  await run.log.output(`${wrong.join('\n')}\n`);
}
