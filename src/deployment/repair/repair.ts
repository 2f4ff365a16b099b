import { rebuildCaches } from '../caches/rebuild-caches.ts';
import type { RunRecord } from '../history.ts';
import type { Means } from '../opcache/means.ts';
import { refresh } from '../opcache/refresh.ts';
import { resolveCommit } from '../record-commits.ts';
import { reset } from '../reset.ts';
import { tellHowToRollBack } from '../roll-back.ts';
import { type Run, runGit } from '../run.ts';
import { syncTree } from '../sync-tree.ts';
import { checkedHealth } from '../verify.ts';
import { rebuildIndex, removeGitLocks } from './git-leftovers.ts';
import { endLeftProcesses } from './left-processes.ts';

/**
 * Undoes what killed runs have left: ends their commands, removes their locks, and brings the tree back to the last
 * commit that passed health, through its caches and the health check. The run to go on with; undefined when it is over.
 */
export async function repair(run: Run, means: Means): Promise<Run | undefined> {
  const { killed } = run.trust;
  const [last] = killed.slice(-1);
  if (last === undefined) return run;
  await run.log.line('INFO', `Killed before it ended: ${killed.map(({ id }) => id).join(', ')}`);
  const ended = await endLeftProcesses(run.host, killed);
  if (ended.length > 0) await run.log.line('INFO', `Its commands have ended: ${ended.join(', ')}`);
  const locks = await removeGitLocks(run);
  if (locks.length > 0) await run.log.line('INFO', `Removed the locks that it left: ${locks.join(', ')}`);
  const target = await targetOf(run, killed);
  if (target === undefined) return run;
  return (await goBack(run, target, means))
    ? { ...run, trust: { ...run.trust, base: target, unproved: new Set(), killed: [] } }
    : undefined;
}

/** Undefined where nothing was about to change, or where a person has gone somewhere else since. */
async function targetOf(run: Run, killed: readonly RunRecord[]): Promise<string | undefined> {
  const resets = killed.flatMap(({ reset: went }) => (went === undefined ? [] : [went]));
  const [first] = resets;
  if (first === undefined) return undefined;
  const target = run.trust.base ?? first.from;
  const head = await resolveCommit(run, 'HEAD');
  const known = new Set([target, ...resets.flatMap(({ from, to }) => [from, to])]);
  if (known.has(head)) return target;
  await run.log.line('INFO', `Somebody has gone to ${head} since then: nothing is put back`);
  return undefined;
}

async function goBack(run: Run, target: string, means: Means): Promise<boolean> {
  const head = await resolveCommit(run, 'HEAD');
  await run.intend({ type: 'reset-intended', from: head, to: target });
  const rebuilt = await rebuildIndex(run, target);
  if (!rebuilt || (await runGit(run, 'repair reset', reset(target))).exitCode !== 0) {
    await run.progress.advance({ type: 'rollback-failed', commit: target });
    await tellHowToRollBack(run, target);
    return false;
  }
  const { clear, rebuild } = run.settings.caches;
  const steps = run.settings.variant === 'basic' ? rebuild : [...clear, ...rebuild];
  const failure = (await rebuildCaches(run, steps)) ?? (await refresh(run, means));
  if (failure !== undefined) await run.log.line('ERROR', `Step ${failure.step} failed: ${failure.because}`);
  await syncTree(run);
  await run.progress.advance({ type: 'repaired', commit: target, ...(await checkedHealth(run, target)) });
  return true;
}
