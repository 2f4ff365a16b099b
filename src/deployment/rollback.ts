import type { Host } from '../host/host.ts';
import { type Procedure, withRun } from './in-checkout.ts';
import { guarded } from './log/guarded.ts';
import type { RunWatch } from './log/watch.ts';
import type { DeployDocument } from './record/document.ts';
import { isEnd } from './record/states.ts';
import { recordPreviousCommit } from './releases/record-commits.ts';
import { releaseOf } from './releases/release-of.ts';
import type { Run } from './run/run.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { acceptBaseline, askBaseline } from './verify/baseline.ts';
import { cannotStart } from './verify/cannot-start.ts';
import { type Destination, rollBackTo, stayAt, targetOf } from './way-back/rollback-command.ts';

/**
 * Takes the checkout to this commit, or so many verified ones back, through the caches and the health check of a
 * deploy. A rollback that ends unhealthy stays at the commit that was asked for, and the log names a better one. A
 * signal stops it as long as nothing has changed; after the reset, or the switch of the release, it is finished.
 */
export function rollback(
  host: Host,
  settings: DeploymentSettings,
  destination: Destination = { steps: 1 },
  watch?: RunWatch,
): Promise<DeployDocument> {
  const procedure: Procedure = async (run, means) => {
    const previousCommit = await recordPreviousCommit(run);
    if (isEnd(run.progress.state) || !(await acceptBaseline(run, await askBaseline(run)))) return;
    const target = await targetOf(run, previousCommit, destination);
    if (await cannotGoTo(run, target)) return;
    if ((await run.progress.advance({ type: 'target-found', commit: target })) !== 'fetched') return;
    try {
      await guarded(run.progress, () => rollBackTo(run, { from: previousCommit, to: target, kind: 'rollback', means }));
    } finally {
      if (run.progress.state === 'rolling-back') await stayAt(run, target);
    }
  };
  return withRun(host, settings, 'rollback', procedure, watch);
}

/** True where the caches of that commit would have to be built, and none can be: then the run has ended. */
async function cannotGoTo(run: Run, commit: string): Promise<boolean> {
  const isThere = run.settings.mode === 'releases' && (await releaseOf(run, commit)) !== undefined;
  return !isThere && cannotStart(run, commit);
}
