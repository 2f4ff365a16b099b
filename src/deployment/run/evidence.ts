import type { Host } from '../../host/host.ts';
import type { Checkout } from '../checkout/checkout.ts';
import type { Environment } from '../settings/environment.ts';
import type { Run, Workspace } from './run.ts';
import { runStep } from './run.ts';

/** How much of the end of a log is kept. */
const tailBytes = 64 * 1024;
/**
 * How many runs keep their evidence. What was moved or copied out of the checkout is also kept for so many days,
 * however many runs there are.
 */
const keptRuns = 20;
const keptDays = 30;

/** What a run keeps for a person to look at, beside the journal. */
export function evidenceFolder({ checkout, id }: Pick<Workspace, 'checkout' | 'id'>): string {
  return `${checkout.stateFolder}/runs/${id}`;
}

/**
 * Keeps the end of each log of the application that was written to during this run: it may say why the new commit
 * failed.
 */
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

/** Removes the evidence of old runs; of those that kept something of the checkout's, with a line in the log. */
export async function pruneEvidence({
  host,
  checkout,
  log,
}: Pick<Workspace, 'host' | 'checkout' | 'log'>): Promise<void> {
  const folder = `${checkout.stateFolder}/runs`;
  const old = (await host.files.list(folder)).slice(0, -keptRuns);
  for (const run of old) {
    const names = await host.files.list(`${folder}/${run}`);
    const hasKept = names.some((name) => ofTheCheckout.has(name));
    const madeAt = (await host.files.stat(`${folder}/${run}`))?.modifiedAt ?? 0;
    if (hasKept && host.clock.wallAt() - madeAt < keptDays * dayMs) continue;
    await host.files.remove(`${folder}/${run}`);
    if (hasKept) await log.line('INFO', `What ${run} kept more than ${keptDays} days ago is removed`);
  }
}

const dayMs = 24 * 3600 * 1000;

/** What a run keeps that was in the checkout and is in no commit. */
const ofTheCheckout: ReadonlySet<string> = new Set([
  'files',
  'untracked',
  'hidden-edits',
  'submodules',
  'local-edits.patch',
]);

/** How much the runs of a checkout keep. */
export interface KeptByRuns {
  readonly runs: number;
  /** On the disk. */
  readonly bytes: number;
}

export async function keptByRuns(
  host: Pick<Host, 'files' | 'run'>,
  { stateFolder }: Pick<Checkout, 'stateFolder'>,
  env: Environment,
): Promise<KeptByRuns> {
  const folder = `${stateFolder}/runs`;
  const runs = (await host.files.list(folder)).length;
  if (runs === 0) return { runs, bytes: 0 };
  const { stdout } = await host.run(['du', '-sk', '--', folder], { env, timeoutSeconds: 60 });
  return { runs, bytes: 1024 * (Number.parseInt(stdout, 10) || 0) };
}
