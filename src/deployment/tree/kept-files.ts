import { evidenceFolder } from '../run/evidence.ts';
import type { Workspace } from '../run/run.ts';
import { runStep } from '../run/run.ts';

/** The folder in which a run keeps copies of the untracked files that its reset overwrites or deletes. */
export function keptFilesFolder({ checkout }: Pick<Workspace, 'checkout'>, id: string): string {
  return `${evidenceFolder({ checkout, id })}/files`;
}

/** Copies these files of the checkout aside, and returns the exit code: 0 when all copies are on the disk. */
export async function keepFiles(run: Workspace, paths: readonly string[]): Promise<number> {
  if (paths.length === 0) return 0;
  const folder = keptFilesFolder(run, run.id);
  await run.log.line(
    'INFO',
    `Untracked files that the reset overwrites or deletes, kept in ${folder}: ${paths.length}`,
  );
  await run.log.output(`${paths.join('\n')}\n`);
  await run.host.files.makeFolder(folder, { mode: 0o700 });
  const { environment: env } = run.settings;
  const copied = await runStep(run, 'keep files', ['cp', '--archive', '--parents', '--', ...paths, folder], { env });
  if (copied.exitCode !== 0) return copied.exitCode;
  return (await runStep(run, 'sync kept files', ['sync', '-f', folder], { env })).exitCode;
}

/** Copies what these runs kept back to its place, after a return to an earlier commit; overwrites nothing. */
export async function returnKeptFiles(run: Workspace, runIds: readonly string[]): Promise<void> {
  for (const id of runIds) {
    const folder = keptFilesFolder(run, id);
    if ((await run.host.files.stat(folder)) === undefined) continue;
    await run.log.line('INFO', `What was kept in ${folder} is put back`);
    const copy = ['cp', '--archive', '--no-clobber', '--', `${folder}/.`, run.checkout.directory] as const;
    await runStep(run, 'return kept files', copy, { env: run.settings.environment });
  }
}
