import { isChanged } from '../git/changed-files.ts';
import type { Step } from '../settings/steps.ts';

/** The steps that apply to this kind of run and to the files that differ between its two commits. */
export function selectSteps(
  steps: readonly Step[],
  kind: 'deploy' | 'rollback',
  changed: readonly string[],
): readonly Step[] {
  return steps.filter(
    ({ on, whenChanged }) => (on ?? kind) === kind && (whenChanged === undefined || isChanged(changed, whenChanged)),
  );
}
