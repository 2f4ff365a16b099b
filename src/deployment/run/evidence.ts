import type { Run, Workspace } from './run.ts';
import { runStep } from './run.ts';

/** How much of the end of a log is kept. */
const tailBytes = 64 * 1024;
/** How many runs keep their evidence. Files that were moved or copied out of the checkout are never removed. */
const keptRuns = 20;

/** What a run keeps for a person to look at, beside the journal. */
export function evidenceFolder({ checkout, id }: Pick<Workspace, 'checkout' | 'id'>): string {
  return `${checkout.stateFolder}/runs/${id}`;
}

/** Keeps the end of each log of the application that was written to during this run: it may say why the new commit failed. */
export async function keepLogs(run: Run): Promise<void> {
  const { host, checkout, settings } = run;
  const folder = evidenceFolder(run);
  for (const log of settings.logs) {
    const path = `${checkout.directory}/${log}`;
    const there = await host.files.stat(path);
    if (there?.kind !== 'file' || there.modifiedAt < run.startedAt) continue;
    const tail = ['tail', '-c', String(tailBytes), '--', path] as const;
    const { stdout } = await runStep(run, 'keep log', tail, { env: settings.environment, answers: true });
    await host.files.makeFolder(folder, { mode: 0o700 });
    const kept = `${folder}/${log.slice(log.lastIndexOf('/') + 1)}`;
    await host.files.replace(kept, run.log.redact(stdout), { mode: 0o600 });
    await run.log.line('INFO', `The end of ${log} is kept in ${kept}`);
  }
}

/** Removes the evidence of old runs, except files that were moved or copied out of the checkout. */
export async function pruneEvidence({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<void> {
  const folder = `${checkout.stateFolder}/runs`;
  const old = (await host.files.list(folder)).slice(0, -keptRuns);
  for (const run of old) {
    const kept = await host.files.list(`${folder}/${run}`);
    if (!kept.includes('files') && !kept.includes('untracked')) await host.files.remove(`${folder}/${run}`);
  }
}
