import type { StepFailure } from './caches/run-steps.ts';
import { largeFiles, submodules } from './reset.ts';
import { type Run, runGit } from './run.ts';

/** What belongs to a commit besides its own files, after a reset in either direction: submodules and large files. */
export async function followUp(run: Run, signal?: AbortSignal): Promise<StepFailure | undefined> {
  const stop = signal === undefined ? {} : { signal };
  if (await isThere(run, '.gitmodules')) {
    for (const command of submodules) {
      const { exitCode } = await runGit(run, 'submodules', command, stop);
      if (exitCode !== 0) return { type: 'step-failed', step: 'submodules', because: `exit code ${exitCode}` };
    }
  }
  if (!(await hasLargeFiles(run))) return undefined;
  for (const command of largeFiles) {
    const { exitCode } = await runGit(run, 'large files', command, stop);
    if (exitCode === 0) continue;
    const because = `git lfs ended with exit code ${exitCode}: pointers would be served`;
    return { type: 'step-failed', step: 'large files', because };
  }
  return undefined;
}

async function isThere({ host, checkout }: Run, path: string): Promise<boolean> {
  return (await host.files.stat(`${checkout.directory}/${path}`)) !== undefined;
}

async function hasLargeFiles({ host, checkout }: Run): Promise<boolean> {
  const attributes = await host.files.read(`${checkout.directory}/.gitattributes`);
  return /\bfilter=lfs\b/.test(attributes ?? '');
}
