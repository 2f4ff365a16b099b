import { OperationError } from '../../host/errors.ts';
import { inRelease } from '../releases/in-release.ts';
import { liveRelease, switchStep, switchTo } from '../releases/live-release.ts';
import { wholeRelease } from '../releases/prepare-release.ts';
import { releaseOf } from '../releases/release-of.ts';
import type { Run, Workspace } from '../run/run.ts';
import { resolveCommit } from '../tree/resolve-commit.ts';

/**
 * Switches the link back to a release of that commit, which is made again where it was removed, or to the checkout
 * itself. Returns the run in that folder; undefined where it failed, with the reason in the log.
 */
export async function returnToRelease(run: Run, commit: string): Promise<Run | undefined> {
  try {
    if (await cameFromCheckout(run, commit)) {
      await switchTo(run, checkoutItself);
      return run;
    }
    const release = (await releaseOf(run, commit)) ?? (await wholeRelease(run, commit, 'rollback'));
    await switchTo(run, release.directory);
    return inRelease(run, release);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    await run.log.line('ERROR', error.message);
    return undefined;
  }
}

/**
 * The run in what visitors get, where no release has been shown to them in this run and they still get that commit;
 * undefined elsewhere.
 */
export async function stillLive(run: Run, commit: string): Promise<Run | undefined> {
  const isSwitched = run.progress.steps.some(({ name }) => name === switchStep);
  if (run.settings.mode === 'in-place' || isSwitched) return undefined;
  const live = await liveRelease(run.host.files, run.checkout);
  // Visitors get what they got before the run.
  if (live === undefined) return run;
  return live.commit === commit ? inRelease(run, live) : undefined;
}

/** The target of a link to the checkout, as people write it. */
export const checkoutItself = '.';

/** Whether the live release was never verified and replaced the checkout itself, which is still at that commit. */
export async function cameFromCheckout(run: Workspace, commit: string): Promise<boolean> {
  const live = await liveRelease(run.host.files, run.checkout);
  const isFirst = live?.overCheckout === true && live.state === 'ready';
  return isFirst && (await resolveCommit(run, 'HEAD')) === commit;
}
