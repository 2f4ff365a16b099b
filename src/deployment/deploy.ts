import type { Host } from '../host/host.ts';
import type { DeployDocument } from './document.ts';
import { fetch, fetchedReference } from './fetch.ts';
import { guarded } from './guarded.ts';
import { localEdits, readLocalEdits } from './local-edits.ts';
import { recordPreviousCommit, resolveCommit } from './record-commits.ts';
import { reset } from './reset.ts';
import { rollBack } from './roll-back.ts';
import { type Run, runGit } from './run.ts';
import type { DeploymentSettings } from './settings.ts';
import { verify } from './verify.ts';
import { withRun } from './with-run.ts';

/** Section 4.3 of the specification, steps 3 to 9; `withRun` does steps 1, 2 and 10. */
export function deploy(host: Host, settings: DeploymentSettings): Promise<DeployDocument> {
  return withRun(host, settings, 'deploy', async (run) => {
    const previousCommit = await recordPreviousCommit(run); // 3
    try {
      await guarded(run.progress, () => update(run, previousCommit)); // 4 to 8
    } finally {
      if (run.progress.state === 'rolling-back') await rollBack(run, previousCommit); // 9
    }
  });
}

async function update(run: Run, previousCommit: string): Promise<void> {
  const newCommit = await fetchBranch(run); // 4
  if (newCommit === undefined) return;
  if (run.settings.ifChanged && newCommit === previousCommit) {
    await run.progress.advance({ type: 'unchanged', commit: newCommit });
    return;
  }
  await tellLocalEdits(run);
  if (!(await resetTo(run, newCommit, previousCommit))) return; // 5, 6
  await verify(run, newCommit); // 7, 8
}

/** The commit that this fetch brought; undefined when the run ended here. */
async function fetchBranch(run: Run): Promise<string | undefined> {
  const { exitCode } = await runGit(run, 'fetch', fetch(run.settings.branch), { interruptible: true });
  if (exitCode !== 0) {
    await run.progress.advance({ type: 'fetch-failed' });
    return undefined;
  }
  const commit = await resolveCommit(run, fetchedReference);
  const state = await run.progress.advance({ type: 'fetched', commit });
  return state === 'fetched' ? commit : undefined;
}

/** The reset discards them, as 4.3 demands; nobody should have to find out later. */
async function tellLocalEdits(run: Run): Promise<void> {
  const { stdout } = await runGit(run, 'local edits', localEdits(), { answers: true });
  const paths = readLocalEdits(stdout);
  if (paths.length === 0) return;
  run.record({ type: 'local-edits-found', paths });
  await run.log.line('INFO', `Local edits that the reset discards: ${paths.length}`);
  await run.log.output(`${paths.join('\n')}\n`);
}

async function resetTo(run: Run, commit: string, from: string): Promise<boolean> {
  await run.intend({ type: 'reset-intended', from, to: commit });
  const { exitCode } = await runGit(run, 'reset', reset(commit));
  if (exitCode !== 0) {
    await run.progress.advance({ type: 'reset-failed' });
    return false;
  }
  const newCommit = await resolveCommit(run, 'HEAD');
  return (await run.progress.advance({ type: 'reset', commit: newCommit })) === 'reset';
}
