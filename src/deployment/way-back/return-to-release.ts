import { OperationError } from '../../host/errors.ts';
import { inRelease } from '../releases/in-release.ts';
import { liveRelease, switchTo } from '../releases/live-release.ts';
import { wholeRelease } from '../releases/prepare-release.ts';
import { releaseOf } from '../releases/release-of.ts';
import type { Run, Workspace } from '../run/run.ts';
import { resolveCommit } from '../tree/resolve-commit.ts';

/** Brings visitors back to a release of that commit, which is made anew where it is gone, or to the checkout itself: the run in it. Undefined where that failed; the log says why. */
export async function returnToRelease(run: Run, commit: string): Promise<Run | undefined> {
  // Nothing is live yet: visitors get what they got before the run.
  if ((await liveRelease(run.host.files, run.checkout)) === undefined) return run;
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

/** The link's text for the checkout, as people make it. */
export const checkoutItself = '.';

/** Whether the live release proved nothing, and took the link from the checkout, which is at that commit still. */
export async function cameFromCheckout(run: Workspace, commit: string): Promise<boolean> {
  const live = await liveRelease(run.host.files, run.checkout);
  const isFirst = live?.overCheckout === true && live.state === 'ready';
  return isFirst && (await resolveCommit(run, 'HEAD')) === commit;
}
