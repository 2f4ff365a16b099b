import { poll } from '../../cluster/poll.ts';
import { answerWithinSeconds, retryRead } from '../../cluster/retry-read.ts';
import { OperationError } from '../../host/errors.ts';
import type { Begun } from '../actions/action.ts';
import { askConsent } from '../actions/consent.ts';
import { performAction } from '../actions/perform-action.ts';
import { type Observation, observe } from '../observe/observe.ts';
import { applicationAtRest, type Before, readNow, readSnapshot, type Snapshot } from '../observe/snapshot.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Run } from './run.ts';

/** openshift requires 30 consecutive good samples before a test, and the run has to be as quiet after it (facts 1.1, 4). */
export const goodSamples = 30;
/** Twice what ingress-nginx needs to learn of new endpoints (facts 3.8): by then they have had traffic. */
const holdSeconds = 10;
/** A baseline needs at most what a scenario needs to settle: a new node and a pod on it (facts 4.1). */
const baselineWithinSeconds = 450;
/** Four times the good samples at one a second; an application that is not steady by then is not fit for a measurement. */
const steadyWithinSeconds = 120;
/** Of a slower monitor twice the good samples: one that is not good begins the row anew. */
const steadyWithinTicks = 2 * goodSamples;

/**
 * One scenario in the frame that all share: baseline, 30 good samples, plan, actions, settle or limit, undo verified by
 * reading back, 30 good samples, window closed. Nothing is judged here: the journal and the downtime log hold it all.
 */
export async function runScenario(run: Run, scenario: Scenario): Promise<void> {
  const { journal, signal } = run;
  journal.record({ type: 'scenario-started', scenario: scenario.name });
  const window = { isOpen: false };
  try {
    await using observation = observe(run, scenario.observes);
    await disturb({ run, scenario, observation, window });
  } catch (error) {
    if (signal.aborted || !(error instanceof OperationError)) throw error;
    const because = error.message;
    journal.record({ type: 'scenario-inconclusive', scenario: scenario.name, because, brokenOff: true });
  }
  journal.record({ type: 'scenario-finished', scenario: scenario.name });
}

interface Disturbance {
  readonly run: Run;
  readonly scenario: Scenario;
  readonly observation: Observation;
  readonly window: { isOpen: boolean };
}

async function disturb(disturbance: Disturbance): Promise<void> {
  const { rounds = 1 } = disturbance.scenario;
  try {
    await using baseline = new AsyncDisposableStack();
    for (let round = 0; round < rounds; round += 1) {
      if (!(await makeRound(disturbance, round, baseline))) return;
    }
  } finally {
    if (disturbance.window.isOpen) await closeWindow(disturbance);
  }
}

/** False when nothing more is to be made of the scenario. What it did is undone when it returns; the baseline is not. */
async function makeRound(disturbance: Disturbance, round: number, baseline: AsyncDisposableStack): Promise<boolean> {
  const { run, scenario } = disturbance;
  const trouble = await prepareBaseline(disturbance, baseline);
  if (trouble !== undefined) return inconclusive(disturbance, trouble);
  const before = await retryRead(run, answerWithinSeconds, () => readSnapshot(run.site.cluster, run.settings));
  const plan = scenario.plan(before, run.settings, round);
  if ('inconclusive' in plan) return inconclusive(disturbance, plan.inconclusive);
  // A person took so long that the good samples and the plan are old: both are made anew.
  if ((await askConsent(run, plan.actions)) > goodSamples) return makeRound(disturbance, round, baseline);
  openRound(disturbance, round);
  for (const expectation of plan.notes ?? [])
    run.journal.record({ type: 'scenario-noted', scenario: scenario.name, expectation });
  await using undos = new AsyncDisposableStack();
  for (const planned of plan.actions) {
    const { outcome } = await performAction(run, scenario.name, planned, undoLater(run, undos));
    // A deed without effect leaves nothing to wait for; its own expectation says so.
    if (outcome === 'inconclusive') return false;
  }
  const settled = await settle(disturbance, before, round);
  await run.site.host.clock.sleep(scenario.holdSeconds ?? holdSeconds, run.signal);
  return settled;
}

function openRound({ run, scenario, window }: Disturbance, round: number): void {
  if (!window.isOpen) run.journal.record({ type: 'window-opened', scenario: scenario.name });
  window.isOpen = true;
  run.journal.record({ type: 'round-opened', scenario: scenario.name, round });
}

const undoLater =
  ({ undo }: Run, undos: AsyncDisposableStack) =>
  (begun: Begun): void =>
    undos.defer(async () => {
      await undo(begun);
    });

/** The number of replicas that the scenario starts from, at rest, and the application steady: or what is in the way. */
async function prepareBaseline(disturbance: Disturbance, baseline: AsyncDisposableStack): Promise<string | undefined> {
  const { run, scenario } = disturbance;
  const { namespace, application: name } = run.settings;
  const { appReplicas: replicas } = scenario.baseline;
  const read = () => run.site.cluster.get('Deployment', { namespace, name });
  const deployment = await retryRead(run, answerWithinSeconds, read);
  if (deployment?.spec.replicas !== replicas) {
    const target = { namespace, name, replicas };
    await performAction(run, scenario.name, { action: 'scale', target }, undoLater(run, baseline));
  }
  if (!(await atRest(disturbance, baselineWithinSeconds, (now) => applicationAtRest(now, replicas))))
    return `the application did not come to rest at ${replicas} replicas within ${baselineWithinSeconds} s`;
  const startedAt = run.site.host.clock.wallAt();
  const limitSeconds = steadyLimitSeconds(run, scenario);
  if (!(await poll(run, limitSeconds, () => run.monitor.goodInARow(startedAt) >= goodSamples)))
    return `the application did not answer ${goodSamples} times in a row within ${limitSeconds} s`;
  return undefined;
}

const steadyLimitSeconds = ({ monitor }: Run, scenario: Scenario): number =>
  Math.max(scenario.steadyWithinSeconds ?? steadyWithinSeconds, steadyWithinTicks * monitor.intervalSeconds());

async function settle(disturbance: Disturbance, before: Before, round: number): Promise<boolean> {
  const { run, scenario } = disturbance;
  const isSettled = (now: Snapshot): boolean => scenario.settled(now, before, round);
  const settled = await atRest(disturbance, scenario.settleWithinSeconds, isSettled);
  if (!settled) return inconclusive(disturbance, `the cluster did not settle within ${scenario.settleWithinSeconds} s`);
  run.journal.record({ type: 'scenario-settled', scenario: scenario.name });
  return true;
}

/** At rest by the watch, and then once more by reading anew: a watch alone is no evidence (facts 3.1). */
function atRest(
  { run, observation }: Disturbance,
  limitSeconds: number,
  isSo: (now: Snapshot) => boolean,
): Promise<boolean> {
  return poll(run, limitSeconds, async () => {
    if (!isSo({ ...run.timeline.now(), ...observation.now() })) return false;
    return isSo({ ...(await readNow(run.site.cluster, run.settings)), ...observation.now() });
  });
}

/** Harm done by an undo counts: the window closes after the undo and a quiet tail. */
async function closeWindow({ run, scenario }: Disturbance): Promise<void> {
  const { site, monitor, journal, signal } = run;
  const undoneAt = site.host.clock.wallAt();
  const limitSeconds = steadyLimitSeconds(run, scenario);
  if (!signal.aborted) await poll(run, limitSeconds, () => monitor.goodInARow(undoneAt) >= goodSamples);
  const closedAt = site.host.clock.wallAt();
  journal.record({ type: 'window-closed', scenario: scenario.name });
  if (!signal.aborted) await monitor.settledUntil(closedAt);
}

/** False, for the caller to return. */
function inconclusive({ run, scenario }: Disturbance, because: string): false {
  run.journal.record({ type: 'scenario-inconclusive', scenario: scenario.name, because });
  return false;
}
