import { isChanged } from '../git/changed-files.ts';
import type { Step } from '../settings/steps.ts';

/** The steps for this kind of run and for what differs between its two commits. */
export function selectSteps(
  steps: readonly Step[],
  kind: 'deploy' | 'rollback',
  changed: readonly string[],
): readonly Step[] {
  return steps.filter(
    ({ on, whenChanged }) => (on ?? kind) === kind && (whenChanged === undefined || isChanged(changed, whenChanged)),
  );
}
