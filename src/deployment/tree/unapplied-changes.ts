import { changedFiles } from '../git/changed-files.ts';
import { git } from '../git/git.ts';
import { pathsIn } from '../git/local-edits.ts';
import { listByGit, type Run } from '../run/run.ts';
import type { Applied } from '../settings/preset.ts';

/**
 * Warns, in the log and for `status`, of changes between the two commits that only a step applies where the settings
 * have no such step. Nothing is run that was not asked for.
 */
export async function warnOfUnapplied(run: Run, from: string, to: string): Promise<void> {
  const left = run.settings.applied.filter((each) => !hasStep(run, each));
  if (left.length === 0) return;
  const compare = [...changedFiles(from, to), ...left.map(({ path }) => path)] as const;
  const changed = pathsIn(await listByGit(run, 'unapplied changes', compare as ReturnType<typeof changedFiles>));
  const warnings: string[] = [];
  for (const each of left)
    if (changed.some((path) => path.startsWith(each.path)) && !(await bringsResult(run, to, each)))
      warnings.push(`${each.path} has changed, and no step of the settings runs ${each.by}: ${each.otherwise}`);
  if (warnings.length === 0) return;
  run.journal.record({ type: 'warned', warnings });
  for (const warning of warnings) await run.log.line('INFO', `Warning: ${warning}`);
}

function hasStep({ settings }: Pick<Run, 'settings'>, { word }: Applied): boolean {
  const steps = [...settings.steps.before, ...settings.steps.after].filter(({ on }) => on !== 'rollback');
  return steps.some(({ command }) => command.some((each) => each.includes(word)));
}

/** Whether the commit holds what the step would make, such as `vendor/`. */
async function bringsResult(run: Run, commit: string, { result }: Applied): Promise<boolean> {
  if (result === undefined) return false;
  const list = git('ls-tree', '-z', '--name-only', commit, '--', result);
  return (await listByGit(run, 'applied already', list)) !== '';
}
