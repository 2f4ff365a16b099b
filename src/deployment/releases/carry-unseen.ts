import { isEmptyTree } from '../git/commits.ts';
import type { Run, Workspace } from '../run/run.ts';
import { keepEditsOf } from '../tree/blast-radius.ts';
import { returnUnseen, unseenFiles } from '../tree/hidden-edits.ts';
import { differencesBetween } from '../tree/space.ts';
import { inRelease } from './in-release.ts';
import { liveRelease } from './live-release.ts';
import type { Release } from './release.ts';

/**
 * Keeps the edits in what visitors get that a release of the other commit would not have: those that git sees as a
 * patch, those that it was told not to see as copies. With `localEdits: refuse` one that the commit would replace is an
 * `OperationError`, before anything is made.
 */
export async function keepServedEdits(run: Run, from: string, to: string): Promise<void> {
  const live = await liveRelease(run.host.files, run.checkout);
  if (isEmptyTree(from)) return;
  const served = live === undefined ? run : inRelease(run, live);
  const unseen = (await unseenFiles(served)).filter(({ path }) => !isShared(run, path));
  const differing = unseen.length === 0 ? [] : await differencesBetween(run, from, to);
  await keepEditsOf(served, { unseen, differing, hasEdits: live !== undefined });
}

/** Brings the edits that git was told not to see into a new release, where its commit has the same file. */
export function carryUnseen(run: Workspace, release: Release): Promise<void> {
  return returnUnseen(inRelease(run, release), [run.id]);
}

/** A link of every release: git was told not to see what is behind it. */
function isShared({ settings }: Pick<Workspace, 'settings'>, path: string): boolean {
  return settings.releases.shared.some((shared) => path === shared || path.startsWith(`${shared}/`));
}
