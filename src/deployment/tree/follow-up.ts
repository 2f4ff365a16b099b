import type { Command, CommandResult } from '../../host/host.ts';
import { git } from '../git/git.ts';
import { reasonOf } from '../git/reason-of.ts';
import { largeFiles, submodules } from '../git/reset.ts';
import type { StepFailure } from '../record/states.ts';
import { runGit, type Workspace } from '../run/run.ts';
import { moveSubmodules } from './move-submodules.ts';

/** Brings submodules and large files to the commit, after a reset in either direction. */
export async function followUp(run: Workspace, signal?: AbortSignal): Promise<StepFailure | undefined> {
  if (await hasSubmodules(run)) {
    const failed = await moveSubmodules(run, () => runAll(run, 'submodules', submodules, signal));
    if (failed !== undefined) return failureOf('submodules', failed, `exit code ${failed.exitCode}`);
  }
  if (!(await hasLargeFiles(run, 'HEAD'))) return undefined;
  const failed = await runAll(run, 'large files', largeFiles, signal);
  const because = `git lfs ended with exit code ${failed?.exitCode}: pointers would be served`;
  return failed === undefined ? undefined : failureOf('large files', failed, because);
}

/** Runs the commands up to the first that fails, and returns that. */
async function runAll(
  run: Workspace,
  step: string,
  commands: readonly Command[],
  signal?: AbortSignal,
): Promise<CommandResult | undefined> {
  for (const command of commands) {
    const result = await runGit(run, step, command, signal === undefined ? {} : { signal });
    if (result.exitCode !== 0) return result;
  }
  return undefined;
}

function failureOf(step: string, { stdout, stderr }: CommandResult, because: string): StepFailure {
  const reason = reasonOf(stderr === '' ? stdout : stderr);
  const where =
    /unable to (?:fetch|access)|clone of|did not contain|could not read from remote|batch (?:response|request)/i;
  return {
    type: 'step-failed',
    step,
    because,
    ...(reason === '' ? {} : { reason }),
    ...(where.test(stdout + stderr) ? { isElsewhere: true as const } : {}),
  };
}

export async function hasSubmodules({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>): Promise<boolean> {
  return (await host.files.stat(`${checkout.directory}/.gitmodules`)) !== undefined;
}

/**
 * Whether any .gitattributes of the commit has git-lfs write files: git reads one in each folder (gitattributes(5)).
 */
export async function hasLargeFiles(run: Pick<Workspace, 'host' | 'checkout'>, commit: string): Promise<boolean> {
  const { directory, gitEnvironment } = run.checkout;
  const search = git('grep', '--quiet', '-E', 'filter=lfs( |$)', commit, '--', ':(top,glob)**/.gitattributes');
  const options = { cwd: directory, env: gitEnvironment, timeoutSeconds: 60 };
  return (await run.host.run(search, options)).exitCode === 0;
}
