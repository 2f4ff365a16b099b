import type { Difference } from '../git/differences.ts';
import { git } from '../git/git.ts';
import { pathsIn } from '../git/local-edits.ts';
import { runGit, type Workspace } from '../run/run.ts';

/** How many files are looked at: a wrong mask shows in every file. */
const sample = 20;

/** The umask that gives new files the permissions of the present ones; undefined where there is no present file. */
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

/** Logs which new files have fewer permissions than `umask` gives, or belong to another user. */
export async function logWrongPermissions(
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
