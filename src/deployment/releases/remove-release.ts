import type { Run } from '../run.ts';
import { forgetRelease, type Release, recordRelease } from './release.ts';

/** Removes a release for ever, its folder and what git knows of it; broken off at any point, it can be done again. */
export async function removeRelease(run: Run, release: Release): Promise<void> {
  const { files } = run.host;
  await recordRelease(files, run.checkout, { ...release, state: 'leaving' });
  await files.remove(release.directory);
  await files.remove(`${run.checkout.gitFolder}/worktrees/${release.name}`);
  await forgetRelease(files, run.checkout, release);
}
