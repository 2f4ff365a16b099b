import type { Host } from '../host/host.ts';
import { checkBaseline } from './baseline.ts';
import type { DeployDocument } from './document.ts';
import { fetch, fetchedReference } from './fetch.ts';
import { guarded } from './guarded.ts';
import { localEdits, pathsIn } from './local-edits.ts';
import { recordPreviousCommit, resolveCommit } from './record-commits.ts';
import { reset } from './reset.ts';
import { rollBack } from './roll-back.ts';
import { type Run, runGit } from './run.ts';
import type { DeploymentSettings } from './settings.ts';
import { syncTree } from './sync-tree.ts';
import { type Change, verify } from './verify.ts';
import { withRun } from './with-run.ts';

/** Section 4.3 of the specification, steps 3 to 9; `withRun` does steps 1, 2 and 10. */
export function deploy(host: Host, settings: DeploymentSettings): Promise<DeployDocument> {
  return withRun(host, settings, 'deploy', async (run, means) => {
    const previousCommit = await recordPreviousCommit(run); // 3
    if (!(await checkBaseline(run))) return;
    const newCommit = await fetchBranch(run); // 4
    if (newCommit === undefined) return;
    const change: Change = { from: previousCommit, to: newCommit, kind: 'deploy', means };
    try {
      await guarded(run.progress, () => update(run, change)); // 5 to 8
    } finally {
      if (run.progress.state === 'rolling-back') await rollBack(run, change); // 9
    }
  });
}

async function update(run: Run, change: Change): Promise<void> {
  if (run.settings.ifChanged && change.to === change.from) {
    await run.progress.advance({ type: 'unchanged', commit: change.to });
    return;
  }
  const because = run.trust.quarantined.get(change.to);
  if (because !== undefined && !run.settings.again) {
    await run.progress.advance({ type: 'refused', because: quarantineSentence(change.to, because), exitCode: 6 });
    return;
  }
  await tellLocalEdits(run);
  if (!(await resetTo(run, change))) return; // 5, 6
  const synced = syncTree(run);
  try {
    await verify(run, change); // 7, 8
  } finally {
    await synced;
  }
}

function quarantineSentence(commit: string, because: string): string {
  return `${commit} was rolled back before, and waits for a new commit or --again: ${because}`;
}

/** The commit that this fetch brought; undefined when the run ended here. */
async function fetchBranch(run: Run): Promise<string | undefined> {
  const { exitCode } = await runGit(run, 'fetch', fetch(run.settings.branch), { signal: run.interruption });
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
  const paths = pathsIn(stdout);
  if (paths.length === 0) return;
  run.record({ type: 'local-edits-found', paths });
  await run.log.line('INFO', `Local edits that the reset discards: ${paths.length}`);
  await run.log.output(`${paths.join('\n')}\n`);
}

async function resetTo(run: Run, { from, to }: Change): Promise<boolean> {
  await run.intend({ type: 'reset-intended', from, to });
  const { exitCode } = await runGit(run, 'reset', reset(to));
  if (exitCode !== 0) {
    await run.progress.advance({ type: 'reset-failed' });
    return false;
  }
  const newCommit = await resolveCommit(run, 'HEAD');
  return (await run.progress.advance({ type: 'reset', commit: newCommit })) === 'reset';
}
