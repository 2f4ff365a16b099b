import { type Run, runStep } from '../run/run.ts';

/** Returns when the checkout's files are on the disk: git itself waits for its own files only. */
export async function syncTree(run: Run): Promise<void> {
  await runStep(run, 'sync', ['sync', '-f', run.checkout.directory], { env: run.settings.environment });
}
