import { environmentTrouble } from './environment-file.ts';
import { programTrouble } from './missing-programs.ts';
import type { Workspace } from './run.ts';

/**
 * Ends the run, before it changes anything, where neither this commit nor another could start, whatever it holds: its caches
 * would be built without their environment, or not at all. No commit is quarantined for that. Returns whether it has ended.
 */
export async function cannotStart(run: Workspace, commit: string): Promise<boolean> {
  const [unreadable, missing] = await Promise.all([environmentTrouble(run, commit), programTrouble(run)]);
  const trouble = missing ?? unreadable;
  if (trouble === undefined) return false;
  const because = `${trouble} No commit could start with that, so nothing was changed`;
  await run.progress.advance({ type: 'refused', because, exitCode: 2 });
  return true;
}
