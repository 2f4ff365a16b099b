import { OperationError } from '../../host/errors.ts';
import type { Run } from '../run/run.ts';
import { inRelease } from './in-release.ts';
import { linkOf, liveRelease } from './live-release.ts';
import { wholeRelease } from './prepare-release.ts';
import { resolveCommit } from './record-commits.ts';
import { releaseOf } from './release-of.ts';
import { switchTo } from './switch-to.ts';

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
const checkoutItself = '.';

/** Whether the live release proved nothing, and took the link from the checkout, which is at that commit still. */
async function cameFromCheckout(run: Run, commit: string): Promise<boolean> {
  const live = await liveRelease(run.host.files, run.checkout);
  const isFirst = live?.overCheckout === true && live.state === 'ready';
  return isFirst && (await resolveCommit(run, 'HEAD')) === commit;
}

/** What a person types to do it; a release that is gone cannot be gone back to by hand. */
export async function waysToSwitch(run: Run, commit: string): Promise<readonly (readonly string[])[]> {
  const target = (await cameFromCheckout(run, commit)) ? checkoutItself : (await releaseOf(run, commit))?.directory;
  const aside = `${run.checkout.directory}/by-hand`;
  if (target === undefined) return [['holdfast', 'rollback', '--mode', 'releases', commit]];
  return [
    ['ln', '-sfn', target, aside],
    ['mv', '-T', aside, linkOf(run.checkout)],
  ];
}
