import type { Begun } from '../actions/action.ts';
import { isRemovable } from '../actions/apply-object.ts';
import { type Before, readSnapshot } from '../observe/snapshot.ts';
import { applyManifests } from './apply-manifests.ts';
import { lookAtLiveObjects } from './look-at-live-objects.ts';
import { keepApplied } from './recover.ts';
import type { ScenarioRun } from './run-scenario.ts';
import { verifyApplication } from './verify-application.ts';

/**
 * Phase 3 of 4.1: applies the node pool and the application, verifies them, and then runs phase 4. Nothing more runs when one of the
 * signs of phase 3 is missing. At the end the applied objects stay, as the specification leaves them; with `cleanup` they are removed.
 */
export async function withApplication(
  run: ScenarioRun,
  options: { readonly cleanup: boolean },
  phase4: () => Promise<void>,
): Promise<void> {
  const { site, settings, journal } = run;
  const applied: Begun[] = [];
  try {
    const before = await readSnapshot(site.cluster, settings);
    if (!(await isThere(run, before, applied))) return;
    await lookAtLiveObjects(site, settings, journal);
    await phase4();
  } finally {
    for (const begun of applied.reverse()) {
      if (options.cleanup) await run.undo(begun);
      else keepApplied(journal, begun.id, isRemovable(begun.intent) ? { openForCleanup: true } : {});
    }
  }
}

async function isThere(run: ScenarioRun, before: Before, applied: Begun[]): Promise<boolean> {
  const foreseen = await applyManifests(run, run.settings, before, (begun) => applied.push(begun));
  const expectations = foreseen === undefined ? await verifyApplication(run, before) : [foreseen];
  run.journal.record({ type: 'application-verified', expectations });
  return expectations.every(({ outcome }) => outcome !== 'not-met');
}
