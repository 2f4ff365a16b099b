import type { Run } from '../run/run.ts';
import type { Step } from '../settings/steps.ts';
import { type Around, stepsAround } from './verify.ts';

/**
 * The steps of a commit that comes back from any of these commits. A release has kept what its own steps made: only
 * those that are asked for on a way back, and those after the caches, are run again.
 */
export async function returnSteps(
  run: Run,
  from: readonly string[],
  commit: string,
  caches: readonly Step[],
): Promise<{ readonly around: Around; readonly caches: readonly Step[] }> {
  const around = await stepsAround(run, 'rollback', from, commit);
  if (run.settings.mode === 'in-place') return { around, caches };
  return { around: { ...around, before: around.before.filter(({ on }) => on === 'rollback') }, caches: [] };
}
