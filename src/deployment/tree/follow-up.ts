import type { Command } from '../../host/host.ts';
import { git } from '../git/git.ts';
import { largeFiles, submodules } from '../git/reset.ts';
import type { StepFailure } from '../record/states.ts';
import { runGit, type Workspace } from '../run/run.ts';
import { moveSubmodules } from './move-submodules.ts';

/** Brings submodules and large files to the commit, after a reset in either direction. */
export async function followUp(run: Workspace, signal?: AbortSignal): Promise<StepFailure | undefined> {
  if (await isThere(run, '.gitmodules')) {
    const exitCode = await moveSubmodules(run, () => runAll(run, 'submodules', submodules, signal));
    if (exitCode !== 0) return { type: 'step-failed', step: 'submodules', because: `exit code ${exitCode}` };
  }
  if (!(await hasLargeFiles(run, 'HEAD'))) return undefined;
  const exitCode = await runAll(run, 'large files', largeFiles, signal);
  const because = `git lfs ended with exit code ${exitCode}: pointers would be served`;
  return exitCode === 0 ? undefined : { type: 'step-failed', step: 'large files', because };
}

/** Runs the commands up to the first that fails; returns its exit code, or 0. */
async function runAll(
  run: Workspace,
  step: string,
  commands: readonly Command[],
  signal?: AbortSignal,
): Promise<number> {
  for (const command of commands) {
    const { exitCode } = await runGit(run, step, command, signal === undefined ? {} : { signal });
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}

async function isThere({ host, checkout }: Pick<Workspace, 'host' | 'checkout'>, path: string): Promise<boolean> {
  return (await host.files.stat(`${checkout.directory}/${path}`)) !== undefined;
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
