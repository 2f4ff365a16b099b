import { differences, differencesIn } from '../git/differences.ts';
import { localEdits, pathsIn } from '../git/local-edits.ts';
import { refresh } from '../opcache/refresh.ts';
import { type Run, runGit } from '../run/run.ts';
import { undoReset } from '../tree/undo-reset.ts';
import type { Change } from '../verify/change.ts';
import { tellHowToRollBack } from './roll-back.ts';

/** After a reset that failed: one that has begun, as on a full disk, leaves files of both commits, and HEAD says nothing of it. */
export async function putBack(run: Run, { from, to, means }: Change, editedBefore: readonly string[]): Promise<void> {
  const edited = pathsIn((await runGit(run, 'local edits', localEdits(), { answers: true })).stdout);
  if (edited.join('\0') === editedBefore.join('\0') && !(await hasAdded(run, from, to))) return;
  if (!(await undoReset(run, { places: [to], target: from, runIds: [run.id], isOld: false }))) {
    await run.progress.advance({ type: 'rollback-failed', commit: from });
    await tellHowToRollBack(run, from);
    return;
  }
  await refresh(run, means);
  await run.log.line('INFO', `Put back to ${from}`);
}

/** Whether a file is there that only the new commit has. */
async function hasAdded(run: Run, from: string, to: string): Promise<boolean> {
  const { stdout } = await runGit(run, 'differences', differences(from, to), { answers: true });
  for (const { letter, path } of differencesIn(stdout)) {
    if (letter === 'A' && (await run.host.files.stat(`${run.checkout.directory}/${path}`)) !== undefined) return true;
  }
  return false;
}
