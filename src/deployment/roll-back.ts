import { checkHealth } from './health.ts';
import { quoted } from './quoted.ts';
import { reset } from './reset.ts';
import { type Run, runGit, runStep } from './run.ts';
import type { State } from './states.ts';

/**
 * Step 9 of 4.3: the tree goes back to this commit, its caches are rebuilt and the same health check runs again.
 * No signal interrupts it, and trouble on the way is told and never stops it.
 */
export async function rollBack(run: Run, commit: string): Promise<State> {
  const { progress } = run;
  // On a full disk the journal cannot be written: going back is still better than staying.
  await run
    .intend({ type: 'rollback-intended', to: commit })
    .catch((error: unknown) => run.log.line('ERROR', String(error)));
  if (!(await resetBack(run, commit))) {
    const state = await progress.advance({ type: 'rollback-failed', commit });
    await tellHowToRollBack(run, commit);
    return state;
  }
  for (const { name, command } of run.settings.caches.rebuild) {
    const { exitCode } = await runStep(run, `rollback ${name}`, command, { env: run.settings.environment });
    if (exitCode !== 0) await progress.advance({ type: 'cache-step-failed', step: name, exitCode });
  }
  const state = await progress.advance({ type: 'rolled-back', commit });
  if (run.settings.healthUrl === undefined) return state;
  const status = await checkHealth(run.host, run.settings.healthUrl, run.settings.health);
  return progress.advance({ type: 'health-checked', status, commit });
}

/** Twice: another git may have held the index's lock for a moment. */
async function resetBack(run: Run, commit: string): Promise<boolean> {
  const first = await runGit(run, 'rollback reset', reset(commit));
  if (first.exitCode === 0) return true;
  const second = await runGit(run, 'rollback reset', reset(commit));
  return second.exitCode === 0;
}

/** The exact commands, in the log and to whoever is watching. */
export async function tellHowToRollBack({ checkout, settings, log, host }: Run, commit: string): Promise<void> {
  const commands = [
    ['cd', checkout.directory],
    ['git', 'reset', '--hard', commit],
    ...settings.caches.rebuild.map((step) => step.command),
  ];
  const text = commands.map((words) => words.map(quoted).join(' ')).join('\n');
  await log.output(`To roll back by hand:\n${text}\n`);
  host.talk.write(`The checkout is neither the new commit nor the previous one. To roll back by hand:\n\n${text}\n\n`);
}
