import type { Host } from '../host/host.ts';
import { backup } from './backup/backup.ts';
import { dumpDatabase } from './backup/dump-database.ts';
import { publishedBy } from './caches/rebuild-caches.ts';
import { pin, pinnedReference } from './git/fetch.ts';
import { writeLooseReference } from './git/references.ts';
import { inCheckout } from './in-checkout.ts';
import { guarded } from './log/guarded.ts';
import type { RunWatch } from './log/watch.ts';
import { alignToOpcacheSecond } from './opcache/align-to-opcache-second.ts';
import { waitUntilKept } from './opcache/wait-until-kept.ts';
import type { DeployDocument } from './record/document.ts';
import { isEnd } from './record/states.ts';
import { deployRelease } from './releases/deploy-release.ts';
import { hasNoReleaseYet } from './releases/live-release.ts';
import { recordPreviousOrEmpty } from './releases/record-commits.ts';
import { beginMaintenance } from './run/maintenance.ts';
import { type Run, runGit } from './run/run.ts';
import { closeRun, documentOf, openRun } from './run/run-shell.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { type BlastRadius, keepResetLosses } from './tree/blast-radius.ts';
import { clean } from './tree/clean.ts';
import { fetchBranch } from './tree/fetch-branch.ts';
import { holdFolders } from './tree/hold-folders.ts';
import { moveOthers } from './tree/kept-files.ts';
import { logWrongPermissions, openChanged } from './tree/permissions.ts';
import { removeStaged } from './tree/place-files.ts';
import { type PreparedReset, prepareReset, resetTree } from './tree/reset-tree.ts';
import { resolveCommit } from './tree/resolve-commit.ts';
import { warnOfUnapplied } from './tree/unapplied-changes.ts';
import { acceptBaseline, askBaseline } from './verify/baseline.ts';
import { cannotStart } from './verify/cannot-start.ts';
import { keepFormerCaches } from './verify/former-caches.ts';
import { failureAside } from './verify/start-aside.ts';
import { type Change, verify } from './verify/verify.ts';
import { rollBackAutomatically } from './way-back/automatic-rollback.ts';
import { undoFailedReset } from './way-back/undo-failed-reset.ts';

/** Section 4.3 of the specification, step by step. */
export async function deploy(host: Host, settings: DeploymentSettings, watch?: RunWatch): Promise<DeployDocument> {
  const shell = await openRun(host, settings, watch); // 1. start line
  try {
    // 2. change to APP_DIR
    await inCheckout(shell, 'deploy', async (run, means) => {
      const previousCommit = await recordPreviousOrEmpty(run); // 3. PREVIOUS_COMMIT
      if (isEnd(run.progress.state)) return;
      // At once, because neither touches the tree and both mostly wait.
      const [baseline, newCommit] = await Promise.all([askBaseline(run), fetchBranch(run)]); // 4. fetch
      if (newCommit === undefined || (await isLeftAlone(run, previousCommit, newCommit))) return;
      await run.log.release();
      if ((await cannotStart(run, newCommit)) || !(await acceptBaseline(run, baseline))) return;
      await warnOfUnapplied(run, previousCommit, newCommit);
      await optionalSteps(run, previousCommit);
      await update(run, { from: previousCommit, to: newCommit, kind: 'deploy', means });
    });
  } finally {
    await closeRun(shell); // 10. completion line
  }
  return documentOf(shell);
}

/** Steps 5 to 9. In the mode `releases` steps 5 to 8 are made in a folder of their own. */
async function update(run: Run, change: Change): Promise<void> {
  const deployNew = run.settings.mode === 'releases' ? deployRelease : deployInPlace;
  try {
    await guarded(run.progress, () => deployNew(run, change));
  } finally {
    if (run.progress.state === 'rolling-back') await rollBackAutomatically(run, change); // 9. back to PREVIOUS_COMMIT
  }
}

async function deployInPlace(run: Run, change: Change): Promise<void> {
  if (!(await resetTo(run, change))) return; // 5. hard reset; 6. NEW_COMMIT
  await openBrought(run, change);
  await verify(run, change); // 7. caches; 8. health check
}

/** The optional pre-step and the backups of 4.3, where they are set. */
async function optionalSteps(run: Run, previousCommit: string): Promise<void> {
  const { database, dir } = run.settings.backup;
  if (run.settings.clean.enabled) await clean(run, previousCommit);
  if (dir !== undefined) await backup(run, dir);
  if (dir !== undefined && database) await dumpDatabase(run, dir);
}

/**
 * True where there is nothing new and `--if-changed` is set, or where the commit is quarantined: then the run has
 * ended.
 */
async function isLeftAlone(run: Run, previousCommit: string, newCommit: string): Promise<boolean> {
  const { ifChanged, again } = run.settings;
  const because = run.trust.quarantined.get(newCommit);
  if (ifChanged && newCommit === previousCommit && !(await hasNoReleaseYet(run))) {
    await run.progress.advance({ type: 'unchanged', commit: newCommit });
    return true;
  }
  if (because === undefined || again) return false;
  await run.progress.advance({ type: 'refused', because: quarantineSentence(newCommit, because), exitCode: 6 });
  return true;
}

function quarantineSentence(commit: string, because: string): string {
  return `${commit} was found bad before; push a new commit, or use --again: ${because}`;
}

/**
 * Steps 5 and 6; false when the run has ended or goes back. What the reset throws away is kept first, and a reset that
 * failed is undone.
 */
async function resetTo(run: Run, change: Change): Promise<boolean> {
  const { from, to, means } = change;
  // At once, because neither touches the tree. Both are waited for in any case: no process may outlive the run.
  const [ready, failed] = await Promise.allSettled([makeReady(run, change), failureAside(run, change)]);
  const { differences, edited, kept, prepared } = outcomeOf(ready);
  const failure = outcomeOf(failed);
  if (failure !== undefined) {
    await removeStaged(run);
    await run.progress.advance(failure);
    return false;
  }
  const replaced = [...publishedBy(run.settings.caches.rebuild), ...differences.map(({ path }) => path)];
  await waitUntilKept(run, means, replaced);
  await beginMaintenance(run, true);
  await alignToOpcacheSecond(run, means);
  await run.journal.intend({ type: 'reset-intended', from, to });
  await holdFolders(run, differences);
  await moveOthers(run, kept);
  const trouble = await resetTree(run, 'reset', to, prepared);
  if (trouble !== undefined) {
    await run.progress.advance({ type: 'reset-failed', ...trouble });
    await undoFailedReset(run, change, edited);
    return false;
  }
  await logWrongPermissions(run, differences, prepared.umask);
  const newCommit = await resolveCommit(run, 'HEAD');
  if (newCommit !== to) {
    const because = `git has reset to ${newCommit} in its place`;
    await run.progress.advance({ type: 'reset-failed', because });
    return false;
  }
  return (await run.progress.advance({ type: 'reset', commit: newCommit })) === 'reset';
}

/** Only where the present commit is not the one that was verified last. */
async function openBrought(run: Run, { from, to }: Change): Promise<void> {
  const { base } = run.trust;
  if (base !== undefined && base !== from) await openChanged(run, base, to);
}

function outcomeOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** All of a reset that can be done before anything is touched. */
async function makeReady(run: Run, { from, to }: Change): Promise<BlastRadius & { readonly prepared: PreparedReset }> {
  const lost = await keepResetLosses(run, from, to);
  const kept = keepFormerCaches(run, from);
  const [prepared] = await Promise.all([prepareReset(run, to), pinPrevious(run, from), kept]);
  return { ...lost, prepared };
}

/** Makes a reference to the commit that a rollback needs, so that git keeps it. */
async function pinPrevious(run: Run, commit: string): Promise<void> {
  if (await writeLooseReference(run.host.files, run.checkout.gitFolder, pinnedReference, commit)) return;
  await runGit(run, 'pin', pin(commit));
}
