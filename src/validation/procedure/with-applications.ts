import type { Begun } from '../actions/action.ts';
import { isRemovable } from '../actions/apply-object.ts';
import { readSnapshot } from '../observe/snapshot.ts';
import { applyManifests } from './apply-manifests.ts';
import { lookAtLiveObjects } from './look-at-live-objects.ts';
import { keepApplied } from './recover.ts';
import type { ScenarioRun } from './run-scenario.ts';
import { verifyApplication } from './verify-application.ts';

/**
 * Phase 3 of 4.1: applies the node pool and the applications, verifies them, and then runs phase 4. Nothing more runs
 * when one of the signs of phase 3 is missing. At the end the applied objects stay, as the specification leaves them;
 * with `cleanup` they are removed, and no longer watched.
 */
export async function withApplications(
  runs: readonly [ScenarioRun, ...ScenarioRun[]],
  options: { readonly cleanup: boolean },
  phase4: () => Promise<void>,
): Promise<void> {
  const applied: Begun[] = [];
  try {
    const missing: ScenarioRun[] = [];
    for (const run of runs) if (!(await isThere(run, applied))) missing.push(run);
    if (missing.length > 0) return;
    for (const { site, settings, journal } of runs) await lookAtLiveObjects(site, settings, journal);
    await phase4();
  } finally {
    await end(applied.reverse(), runs[0], options.cleanup);
  }
}

async function end(applied: readonly Begun[], run: ScenarioRun, cleanup: boolean): Promise<void> {
  const journal = run.journalFor?.([]) ?? run.journal;
  // The deletion is on purpose: it is no outage, and its nodes are no surprise. If ending the watch fails, the place
  // that started it reports the error.
  if (cleanup && applied.length > 0) await run.stopWatching().catch(() => undefined);
  for (const begun of applied) {
    if (cleanup) await run.undo(begun);
    else keepApplied(journal, begun.id, isRemovable(begun.intent) ? { openForCleanup: true } : {});
  }
}

async function isThere(run: ScenarioRun, applied: Begun[]): Promise<boolean> {
  const before = await readSnapshot(run.site.cluster, run.settings);
  const done = new Set(applied.map(({ subject }) => subject));
  const foreseen = await applyManifests(run, run.settings, before, done, (begun) => applied.push(begun));
  const expectations = foreseen === undefined ? await verifyApplication(run, before) : [foreseen];
  run.journal.record({ type: 'application-verified', expectations });
  return expectations.every(({ outcome }) => outcome !== 'not-met');
}
