import { checkHealth } from './health.ts';
import { rebuildCaches } from './rebuild-caches.ts';
import type { Run } from './run.ts';

/** Steps 7 and 8 of 4.3, or what the basic variant has in their place. */
export function verify(run: Run, commit: string): Promise<void> {
  return run.settings.variant === 'basic' ? updateOnly(run, commit) : checkCommit(run, commit);
}

/** The full variant: the caches are cleared and rebuilt, then health is checked. A cache step that fails is a failed verification. */
async function checkCommit(run: Run, commit: string): Promise<void> {
  const { caches, health, healthUrl = '' } = run.settings;
  const failure = await rebuildCaches(run, [...caches.clear, ...caches.rebuild]);
  if (failure !== undefined) {
    await run.progress.advance(failure);
    return;
  }
  const status = await checkHealth(run.host, healthUrl, health, run.interruption);
  await run.progress.advance({ type: 'health-checked', status, commit });
}

/** The basic variant of 4.3: success is logged before the three caches are rebuilt, and nothing is checked. */
async function updateOnly(run: Run, commit: string): Promise<void> {
  await run.progress.advance({ type: 'updated', commit });
  const failure = await rebuildCaches(run, run.settings.caches.rebuild);
  if (failure !== undefined) await run.progress.advance(failure);
}
