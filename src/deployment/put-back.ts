import { localEdits, pathsIn } from './blast-radius/local-edits.ts';
import type { Change } from './change.ts';
import { refresh } from './opcache/refresh.ts';
import { reset } from './reset.ts';
import { tellHowToRollBack } from './roll-back.ts';
import { type Run, runGit } from './run.ts';

/** After a reset that failed: one that has begun, as on a full disk, leaves files of both commits, and HEAD says nothing of it. */
export async function putBack(run: Run, { from, means }: Change, editedBefore: readonly string[]): Promise<void> {
  const edited = pathsIn((await runGit(run, 'local edits', localEdits(), { answers: true })).stdout);
  if (edited.join('\0') === editedBefore.join('\0')) return;
  const { exitCode } = await runGit(run, 'put back', reset(from));
  if (exitCode !== 0) {
    await run.progress.advance({ type: 'rollback-failed', commit: from });
    await tellHowToRollBack(run, from);
    return;
  }
  await refresh(run, means);
  await run.log.line('INFO', `Put back to ${from}`);
}
