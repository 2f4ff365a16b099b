import { OperationError } from '../host/errors.ts';
import { performAction } from './perform-action.ts';
import { type Run, until } from './run.ts';
import type { Scenario } from './scenario.ts';
import { applicationAtRest, type Before, readSnapshot } from './snapshot.ts';
import { undoAction } from './undo-action.ts';

/** openshift requires 30 consecutive good samples before a test, and the run has to be as quiet after it (facts 1.1, 4). */
export const goodSamples = 30;
/** Twice what ingress-nginx needs to learn of new endpoints (facts 3.8): by then they have had traffic. */
const holdSeconds = 10;
/** A baseline needs at most what a scenario needs to settle: a new node and a pod on it (facts 4.1). */
const baselineWithinSeconds = 450;
/** Four times the good samples at one a second; an application that is not steady by then is not fit for a measurement. */
const steadyWithinSeconds = 120;

/**
 * One scenario in the frame that all share: baseline, 30 good samples, plan, actions, settle or limit, undo verified by
 * reading back, 30 good samples, window closed. Nothing is judged here: the journal and the downtime log hold it all.
 */
export async function runScenario(run: Run, scenario: Scenario): Promise<void> {
  const { journal, signal } = run;
  journal.record({ type: 'scenario-started', scenario: scenario.name });
  try {
    await disturb(run, scenario);
  } catch (error) {
    if (signal.aborted || !(error instanceof OperationError)) throw error;
    journal.record({ type: 'scenario-inconclusive', scenario: scenario.name, because: error.message });
  }
  journal.record({ type: 'scenario-finished', scenario: scenario.name });
}

async function disturb(run: Run, scenario: Scenario): Promise<void> {
  const windowOpened = { opened: false };
  try {
    await using undos = new AsyncDisposableStack();
    const trouble = await prepareBaseline(run, scenario, undos);
    if (trouble !== undefined) return inconclusive(run, scenario, trouble);
    const before = await readSnapshot(run.site.cluster, run.settings);
    const plan = scenario.plan(before, run.settings);
    if ('inconclusive' in plan) return inconclusive(run, scenario, plan.inconclusive);
    run.journal.record({ type: 'window-opened', scenario: scenario.name });
    windowOpened.opened = true;
    for (const planned of plan.actions) await performAction(run, scenario.name, planned, undoLater(run, undos));
    await settle(run, scenario, before);
    await run.site.host.clock.sleep(holdSeconds, run.signal);
  } finally {
    if (windowOpened.opened) await closeWindow(run, scenario);
  }
}

const undoLater =
  ({ site, journal }: Run, undos: AsyncDisposableStack) =>
  (begun: Parameters<typeof undoAction>[2]): void =>
    undos.defer(async () => {
      await undoAction(site, journal, begun);
    });

/** The number of replicas that the scenario starts from, at rest, and the application steady: or what is in the way. */
async function prepareBaseline(run: Run, scenario: Scenario, undos: AsyncDisposableStack): Promise<string | undefined> {
  const { namespace, application } = run.settings;
  const { appReplicas: replicas } = scenario.baseline;
  if (run.timeline.now().deployment?.spec.replicas !== replicas) {
    const target = { namespace, name: application, replicas };
    await performAction(run, scenario.name, { action: 'scale', target }, undoLater(run, undos));
  }
  if (!(await atRest(run, baselineWithinSeconds, (now) => applicationAtRest(now, replicas))))
    return `the application did not come to rest at ${replicas} replicas within ${baselineWithinSeconds} s`;
  const startedAt = run.site.host.clock.wallAt();
  if (!(await until(run, steadyWithinSeconds, () => run.monitor.goodInARow(startedAt) >= goodSamples)))
    return `the application did not answer ${goodSamples} times in a row within ${steadyWithinSeconds} s`;
  return undefined;
}

async function settle(run: Run, scenario: Scenario, before: Before): Promise<void> {
  const settled = await atRest(run, scenario.settleWithinSeconds, (now) => scenario.settled(now, before));
  if (settled) run.journal.record({ type: 'scenario-settled', scenario: scenario.name });
  else inconclusive(run, scenario, `the cluster did not settle within ${scenario.settleWithinSeconds} s`);
}

/** At rest by the watch, and then once more by reading anew: a watch alone is no evidence (facts 3.1). */
function atRest(run: Run, limitSeconds: number, isSo: (now: Before) => boolean): Promise<boolean> {
  const components: Before['components'] = [];
  return until(run, limitSeconds, async () => {
    if (!isSo({ ...run.timeline.now(), components })) return false;
    return isSo(await readSnapshot(run.site.cluster, run.settings));
  });
}

/** Harm done by an undo counts: the window closes after the undo and a quiet tail. */
async function closeWindow(run: Run, scenario: Scenario): Promise<void> {
  const { site, monitor, journal, signal } = run;
  const undoneAt = site.host.clock.wallAt();
  if (!signal.aborted) await until(run, steadyWithinSeconds, () => monitor.goodInARow(undoneAt) >= goodSamples);
  const closedAt = site.host.clock.wallAt();
  journal.record({ type: 'window-closed', scenario: scenario.name });
  if (!signal.aborted) await monitor.settledUntil(closedAt);
}

function inconclusive({ journal }: Run, scenario: Scenario, because: string): void {
  journal.record({ type: 'scenario-inconclusive', scenario: scenario.name, because });
}
