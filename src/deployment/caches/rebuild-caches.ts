import type { CacheStep } from './caches.ts';
import { type Run, runStep } from './run.ts';
import type { DeployEvent } from './states.ts';

/** Step 7 of 4.3: the steps in order, up to the first that fails; that failure, or nothing. */
export async function rebuildCaches(run: Run, steps: readonly CacheStep[]): Promise<DeployEvent | undefined> {
  for (const { name, command } of steps) {
    run.interruption.throwIfAborted();
    const { exitCode } = await runStep(run, name, command, { env: run.settings.environment, interruptible: true });
    if (exitCode !== 0) return { type: 'cache-step-failed', step: name, exitCode };
  }
  return undefined;
}
