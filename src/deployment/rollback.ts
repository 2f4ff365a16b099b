import { OperationError } from '../host/errors.ts';
import type { Host } from '../host/host.ts';
import { guarded } from './log/guarded.ts';
import type { DeployDocument } from './record/document.ts';
import { lastVerified, readHistory } from './record/history.ts';
import { rollbackToRelease } from './releases/deploy-release.ts';
import { recordPreviousCommit, resolveCommit } from './releases/record-commits.ts';
import type { Run } from './run/run.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { keepWhatTheResetTakes } from './tree/blast-radius.ts';
import { resetTree } from './tree/reset-tree.ts';
import { syncTree } from './tree/sync-tree.ts';
import { acceptBaseline, askBaseline } from './verify/baseline.ts';
import type { Change } from './verify/change.ts';
import { verify } from './verify/verify.ts';
import { tellHowToRollBack } from './way-back/roll-back.ts';
import { withRun } from './with-run.ts';

/**
 * Takes the checkout to this commit, or to the last verified one that it is not at, through the caches and the health
 * check of a deploy. A rollback that ends unhealthy stays where it was asked to go (contract, section 2), and says what
 * is better.
 */
export function rollback(host: Host, settings: DeploymentSettings, commit?: string): Promise<DeployDocument> {
  return withRun(host, settings, 'rollback', async (run, means) => {
    const previousCommit = await recordPreviousCommit(run);
    if (!(await acceptBaseline(run, await askBaseline(run)))) return;
    const target = await targetOf(run, previousCommit, commit);
    await run.progress.advance({ type: 'target-found', commit: target });
    try {
      const go = run.settings.mode === 'releases' ? rollbackToRelease : goTo;
      await guarded(run.progress, () => go(run, { from: previousCommit, to: target, kind: 'rollback', means }));
    } finally {
      if (run.progress.state === 'rolling-back') await stay(run, target);
    }
  });
}

async function stay(run: Run, commit: string): Promise<void> {
  // A history that cannot be read names nothing better, and must not keep the run from its end.
  const runs = await readHistory(run.host.files, run.checkout.stateFolder).catch(() => []);
  const verified = lastVerified(runs);
  const better = verified === undefined || verified === commit ? {} : { better: verified };
  await run.progress.advance({ type: 'stayed', commit, ...better });
}

async function targetOf(run: Run, previousCommit: string, commit: string | undefined): Promise<string> {
  if (commit !== undefined) return resolveCommit(run, commit);
  const target = lastVerified(await readHistory(run.host.files, run.checkout.stateFolder), [
    previousCommit,
    ...run.trust.quarantined.keys(),
  ]);
  if (target !== undefined) return resolveCommit(run, target);
  throw new OperationError({
    tried: 'Finding a commit to roll back to in the history of',
    on: run.checkout.directory,
    reason: 'no other commit has ever been verified',
    next: 'Name one: holdfast rollback COMMIT',
  });
}

async function goTo(run: Run, change: Change): Promise<void> {
  const { from, to: commit } = change;
  await keepWhatTheResetTakes(run, from, commit);
  await run.intend({ type: 'reset-intended', from, to: commit });
  if (from !== commit) {
    // A timer would deploy it again within the minute.
    await run.intend({ type: 'rollback-intended', from, to: commit, because: 'It was rolled back by hand' });
  }
  if (!(await resetTree(run, 'reset', commit))) {
    await run.progress.advance({ type: 'rollback-failed', commit });
    await tellHowToRollBack(run, commit);
    return;
  }
  await run.progress.advance({ type: 'rolled-back', commit });
  await syncTree(run);
  await verify(run, change);
}
