import { OperationError } from '../../host/errors.ts';
import type { Run } from '../run.ts';
import { inRelease } from './in-release.ts';
import { isBesideReleases, linkOf } from './live-release.ts';
import { wholeRelease } from './prepare-release.ts';
import { releaseOf } from './release-of.ts';
import { switchTo } from './switch-to.ts';

/** Brings visitors back to a release of that commit, which is made anew where it is gone: the run in it. Undefined where that failed; the log says why. */
export async function returnToRelease(run: Run, commit: string): Promise<Run | undefined> {
  // Nothing is live yet: visitors get what they got before the run.
  if (await isBesideReleases(run)) return run;
  try {
    const release = (await releaseOf(run, commit)) ?? (await wholeRelease(run, commit, 'rollback'));
    await switchTo(run, release);
    return inRelease(run, release);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    await run.log.line('ERROR', error.message);
    return undefined;
  }
}

/** What a person types to do it; a release that is gone cannot be gone back to by hand. */
export async function waysToSwitch(run: Run, commit: string): Promise<readonly (readonly string[])[]> {
  const release = await releaseOf(run, commit);
  const aside = `${run.checkout.directory}/by-hand`;
  if (release === undefined) return [['holdfast', 'rollback', '--mode', 'releases', commit]];
  return [
    ['ln', '-sfn', release.directory, aside],
    ['mv', '-T', aside, linkOf(run.checkout)],
  ];
}
