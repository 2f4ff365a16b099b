import type { Run } from '../run/run.ts';
import { forgetRelease, isHalf, type Release, recordRelease } from './release.ts';

/** Removes a release for ever, its folder and what git knows of it; broken off at any point, it can be done again. */
export async function removeRelease(run: Run, release: Release): Promise<void> {
  const { files } = run.host;
  // A half one may become live as little as one that leaves; on a full disk it can go, and nothing can be recorded.
  if (!isHalf(release)) await recordRelease(files, run.checkout, { ...release, state: 'leaving' });
  await files.remove(release.directory);
  await files.remove(`${run.checkout.gitFolder}/worktrees/${release.name}`);
  await forgetRelease(files, run.checkout, release);
}
