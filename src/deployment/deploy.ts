import type { Host } from '../host/host.ts';
import { backup } from './backup/backup.ts';
import {
  countDropped,
  fetch,
  fetchedReference,
  forgetGoneBranches,
  isHindered,
  isRewritten,
  pin,
  pinnedReference,
} from './git/fetch.ts';
import { writeLooseReference } from './git/references.ts';
import { guarded } from './log/guarded.ts';
import { earlyInASecond } from './opcache/align-to-opcache-second.ts';
import type { DeployDocument } from './record/document.ts';
import { deployRelease } from './releases/deploy-release.ts';
import { isBesideReleases } from './releases/live-release.ts';
import { recordPreviousOrEmpty } from './releases/record-commits.ts';
import { type Run, runGit } from './run/run.ts';
import type { DeploymentSettings } from './settings/settings.ts';
import { keepWhatTheResetTakes } from './tree/blast-radius.ts';
import { clean } from './tree/clean.ts';
import { tellPermissions } from './tree/permissions.ts';
import { prepareReset, resetTree } from './tree/reset-tree.ts';
import { resolveCommit } from './tree/resolve-commit.ts';
import { acceptBaseline, askBaseline } from './verify/baseline.ts';
import { type Change, verify } from './verify/verify.ts';
import { rollBackAutomatically } from './way-back/automatic-rollback.ts';
import { undoFailedReset } from './way-back/undo-failed-reset.ts';
import { withRun } from './with-run.ts';

/** Section 4.3 of the specification, steps 3 to 9; `withRun` does steps 1, 2 and 10. */
export function deploy(host: Host, settings: DeploymentSettings): Promise<DeployDocument> {
  return withRun(host, settings, 'deploy', async (run, means) => {
    const previousCommit = await recordPreviousOrEmpty(run); // 3
    // Neither touches the tree, and both mostly wait.
    const [baseline, newCommit] = await Promise.all([askBaseline(run), fetchBranch(run)]); // 4
    if (newCommit === undefined || !(await acceptBaseline(run, baseline))) return;
    await optionalSteps(run, previousCommit);
    if (await isLeftAlone(run, previousCommit, newCommit)) return;
    await update(run, { from: previousCommit, to: newCommit, kind: 'deploy', means }); // 5 to 9
  });
}

/** The pre-step and the backup of 4.3, where they were asked for. */
async function optionalSteps(run: Run, previousCommit: string): Promise<void> {
  if (run.settings.clean.enabled) await clean(run, previousCommit);
  if (run.settings.backup.dir !== undefined) await backup(run, run.settings.backup.dir);
}

/** Nothing new where only something new was asked for, or a commit that was found bad before. */
async function isLeftAlone(run: Run, previousCommit: string, newCommit: string): Promise<boolean> {
  const { ifChanged, again } = run.settings;
  const because = run.trust.quarantined.get(newCommit);
  if (ifChanged && newCommit === previousCommit && !(await isBesideReleases(run))) {
    await run.progress.advance({ type: 'unchanged', commit: newCommit });
    return true;
  }
  if (because === undefined || again) return false;
  await run.progress.advance({ type: 'refused', because: quarantineSentence(newCommit, because), exitCode: 6 });
  return true;
}

async function update(run: Run, change: Change): Promise<void> {
  try {
    await guarded(run.progress, async () => {
      if (run.settings.mode === 'releases')
        await deployRelease(run, change); // 5 to 8
      else if (await resetTo(run, change)) await verify(run, change);
    });
  } finally {
    if (run.progress.state === 'rolling-back') await rollBackAutomatically(run, change); // 9
  }
}

function quarantineSentence(commit: string, because: string): string {
  return `${commit} was found bad before, and waits for a new commit or --again: ${because}`;
}

/** The commit that this fetch brought; undefined when the run ended here. */
async function fetchBranch(run: Run): Promise<string | undefined> {
  const { branch } = run.settings;
  const options = { signal: run.interruption };
  const first = await runGit(run, 'fetch', fetch(branch), options);
  const hindered = first.exitCode !== 0 && isHindered(first.stderr);
  if (hindered) await runGit(run, 'forget gone branches', forgetGoneBranches(), options);
  const { exitCode, stderr } = hindered ? await runGit(run, 'fetch', fetch(branch), options) : first;
  if (exitCode !== 0) {
    await run.progress.advance({ type: 'fetch-failed' });
    return undefined;
  }
  const commit = await resolveCommit(run, fetchedReference);
  if (isRewritten(stderr)) await tellDropped(run, commit);
  const state = await run.progress.advance({ type: 'fetched', commit });
  return state === 'fetched' ? commit : undefined;
}

/** A branch that was forced may have lost what is deployed here; the rollback's commit is pinned. */
async function tellDropped(run: Run, commit: string): Promise<void> {
  const { stdout } = await runGit(run, 'dropped commits', countDropped(commit), { answers: true });
  if (Number(stdout) === 0) return;
  const { branch } = run.settings;
  await run.log.line(
    'INFO',
    `The history of ${branch} was rewritten: ${stdout.trim()} commits of the checkout are not in it`,
  );
}

async function resetTo(run: Run, change: Change): Promise<boolean> {
  const { from, to, means } = change;
  const { differences, edited } = await keepWhatTheResetTakes(run, from, to);
  const [prepared] = await Promise.all([prepareReset(run, to, differences), pinPrevious(run, from)]);
  await earlyInASecond(run, means);
  await run.intend({ type: 'reset-intended', from, to });
  if (!(await resetTree(run, 'reset', to, prepared))) {
    await run.progress.advance({ type: 'reset-failed' });
    await undoFailedReset(run, change, edited);
    return false;
  }
  await tellPermissions(run, differences, prepared.umask);
  const newCommit = await resolveCommit(run, 'HEAD'); // 6
  if (newCommit !== to) {
    // Git said that it had succeeded.
    await run.progress.advance({ type: 'reset-failed' });
    return false;
  }
  return (await run.progress.advance({ type: 'reset', commit: newCommit })) === 'reset';
}

/** Git keeps the commit that a rollback needs. */
async function pinPrevious(run: Run, commit: string): Promise<void> {
  if (await writeLooseReference(run.host.files, run.checkout.gitFolder, pinnedReference, commit)) return;
  await runGit(run, 'pin', pin(commit));
}
