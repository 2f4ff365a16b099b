import { poll } from '../../cluster/poll.ts';
import { answerWithinSeconds, retryRead } from '../../cluster/retry-read.ts';
import { podsWanted } from '../../cluster/workload.ts';
import { OperationError } from '../../host/errors.ts';
import type { Begun } from '../actions/action.ts';
import { askConsent } from '../actions/consent.ts';
import type { PlannedAction } from '../actions/index.ts';
import { type Acting, performAction } from '../actions/perform-action.ts';
import { unreadyPods } from '../checks/pod-trouble.ts';
import { goodSamples, holdSeconds } from '../frame.ts';
import type { Monitor } from '../monitor/monitor.ts';
import { compareClocks } from '../observe/compare-clocks.ts';
import { type Observation, observe } from '../observe/observe.ts';
import { pollCluster, type Watching } from '../observe/poll-cluster.ts';
import { applicationAtRest, atRestWithAtLeast, type Before, readSnapshot, type Snapshot } from '../observe/snapshot.ts';
import type { Undo } from '../record/undo.ts';
import type { Baseline, Scenario } from '../scenarios/scenario.ts';
import { settleLimitSeconds } from '../scenarios/settle-limit.ts';
import { hasReplicas, workloadOf } from '../settings.ts';

/** What a scenario is run with: its actions are performed, the cluster and the downtime log are watched, and everything is undone. */
export interface ScenarioRun extends Acting, Watching {
  readonly monitor: Pick<Monitor, 'readyToAct' | 'goodInARow' | 'intervalSeconds' | 'writtenUntil' | 'edges'>;
  /** Undoes an action that was begun. */
  readonly undo: (begun: Begun) => Promise<Undo>;
}

/** The longest time that reaching the baseline takes: a new node and a pod on it (docs/facts/aws.md, "A new instance"). */
const baselineWithinSeconds = 450;
/** Four times the good samples at one a second; an application that is not steady by then is not fit for a measurement. */
const steadyWithinSeconds = 120;
/** For a monitor with a longer interval: twice the good samples, because one bad sample starts the count anew. */
const steadyWithinTicks = 2 * goodSamples;

/**
 * Runs one scenario in the steps that all share: baseline, 30 good samples, plan, actions, settle or limit, undo verified by reading back,
 * 30 good samples, window closed. Judges nothing: the journal and the downtime log hold all of it. An `OperationError` makes the scenario
 * inconclusive; rejects with any other error, and with the signal's reason when the run is stopped.
 */
export async function runScenario(run: ScenarioRun, scenario: Scenario): Promise<void> {
  const { journal, signal } = run;
  journal.record({ type: 'scenario-started', scenario: scenario.name });
  const window = { isOpen: false };
  try {
    await using observation = observe(run, scenario.observes);
    await disturb({ run, scenario, observation, window, before: {} });
  } catch (error) {
    if (signal.aborted || !(error instanceof OperationError)) throw error;
    const because = error.message;
    journal.record({ type: 'scenario-inconclusive', scenario: scenario.name, because, brokenOff: true });
  }
  journal.record({ type: 'scenario-finished', scenario: scenario.name });
}

interface Disturbance {
  readonly run: ScenarioRun;
  readonly scenario: Scenario;
  readonly observation: Observation;
  readonly window: { isOpen: boolean };
  /** The application's replicas before the baseline, if the baseline changed them. */
  readonly before: { replicas?: number | undefined };
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

/** False when no further round is to be made. The round's actions are undone when it returns; the baseline is not. */
async function makeRound(disturbance: Disturbance, round: number, baseline: AsyncDisposableStack): Promise<boolean> {
  const { run, scenario } = disturbance;
  const trouble = await prepareBaseline(disturbance, baseline);
  if (trouble !== undefined) return inconclusive(disturbance, trouble);
  const before = await retryRead(run, answerWithinSeconds, () => readSnapshot(run.site.cluster, run.settings));
  const plan = scenario.plan(before, run.settings, round);
  if ('inconclusive' in plan) return inconclusive(disturbance, plan.inconclusive, plan.needless);
  // The person took so long to answer that the good samples and the plan are out of date: both are made anew.
  if ((await askConsent(run, plan.actions)) > goodSamples) return makeRound(disturbance, round, baseline);
  openRound(disturbance, round);
  for (const expectation of plan.notes ?? [])
    run.journal.record({ type: 'scenario-noted', scenario: scenario.name, expectation });
  await using undos = new AsyncDisposableStack();
  for (const planned of plan.actions) {
    const { outcome } = await performAction(
      run,
      scenario.name,
      withOneWayBack(disturbance, planned, round),
      registerUndo(run, undos),
    );
    // An action without effect leaves nothing to wait for; its own expectation says so.
    if (outcome === 'inconclusive') return false;
  }
  const settled = await settle(disturbance, before, round);
  const heldSeconds = scenario.holdSeconds ?? holdSeconds;
  run.onWait?.('while the effect lasts, before it is undone', heldSeconds);
  await run.site.host.clock.sleep(heldSeconds, run.signal);
  return settled;
}

/** In the last round the replicas return to what they were before the baseline, and not to the baseline first: that would make pods for a moment. */
function withOneWayBack({ run, scenario, before }: Disturbance, planned: PlannedAction, round: number): PlannedAction {
  const { rounds = 1 } = scenario;
  const isApplication = planned.action === 'scale' && planned.target.name === run.settings.application;
  if (!isApplication || before.replicas === undefined || round < rounds - 1) return planned;
  return { ...planned, target: { ...planned.target, undoTo: before.replicas } };
}

function openRound({ run, scenario, window }: Disturbance, round: number): void {
  if (!window.isOpen) run.journal.record({ type: 'window-opened', scenario: scenario.name });
  window.isOpen = true;
  run.monitor.edges(true);
  run.journal.record({ type: 'round-opened', scenario: scenario.name, round });
}

const registerUndo =
  ({ undo }: Pick<ScenarioRun, 'undo'>, undos: AsyncDisposableStack) =>
  (begun: Begun): void =>
    undos.defer(async () => {
      await undo(begun);
    });

/** Brings the application to the replicas that the scenario starts from, and waits until it is steady. Returns what prevented it. */
async function prepareBaseline(disturbance: Disturbance, baseline: AsyncDisposableStack): Promise<string | undefined> {
  const { run, scenario } = disturbance;
  const { appReplicas: replicas, asItIs } = scenario.baseline;
  if (hasReplicas(run.settings) && !asItIs) await scaleToBaseline(disturbance, replicas, baseline);
  const where = placeOf(scenario.baseline, run.settings);
  const atRest = asItIs ? atRestWithAtLeast : applicationAtRest;
  run.onWait?.(`until the application is at rest ${where}`, baselineWithinSeconds);
  if (!(await reaches(disturbance, baselineWithinSeconds, (now) => atRest(now, replicas))))
    return `the application did not come to rest ${where} within ${baselineWithinSeconds} s`;
  const startedAt = run.site.host.clock.wallAt();
  const comparing = compareClocks(run.site, run.signal);
  const limitSeconds = steadyLimitSeconds(run, scenario);
  run.onWait?.(`for ${goodSamples} good probes in a row before the scenario`, limitSeconds);
  if (!(await poll(run, limitSeconds, () => run.monitor.goodInARow(startedAt) >= goodSamples)))
    return `the application did not answer ${goodSamples} times in a row within ${limitSeconds} s`;
  const compared = await comparing;
  if (compared !== undefined) run.journal.record({ type: 'clock-compared', ...compared });
  return undefined;
}

function placeOf({ appReplicas, asItIs }: Baseline, settings: ScenarioRun['settings']): string {
  if (!hasReplicas(settings)) return 'with a ready pod on each node';
  return asItIs ? `with its own replicas, at least ${appReplicas}` : `at ${appReplicas} replicas`;
}

async function scaleToBaseline(
  { run, scenario, before }: Disturbance,
  replicas: number,
  baseline: AsyncDisposableStack,
): Promise<void> {
  const { namespace, application: name, applicationKind: kind } = run.settings;
  const workload = await retryRead(run, answerWithinSeconds, () => run.site.cluster.get(kind, { namespace, name }));
  const now = workload && podsWanted(workload);
  if (now === replicas) return;
  const target = { ...workloadOf(run.settings), replicas };
  before.replicas ??= now;
  await performAction(run, scenario.name, { action: 'scale', target }, registerUndo(run, baseline));
}

const steadyLimitSeconds = ({ monitor }: Pick<ScenarioRun, 'monitor'>, scenario: Scenario): number =>
  Math.max(scenario.steadyWithinSeconds ?? steadyWithinSeconds, steadyWithinTicks * monitor.intervalSeconds());

async function settle(disturbance: Disturbance, before: Before, round: number): Promise<boolean> {
  const { run, scenario } = disturbance;
  const isSettled = (now: Snapshot): boolean => scenario.settled(now, before, round);
  const limitSeconds = settleLimitSeconds(scenario, before);
  disturbance.run.onWait?.('until the cluster has settled', limitSeconds);
  const settled = await reaches(disturbance, limitSeconds, isSettled);
  if (!settled)
    return inconclusive(disturbance, `the cluster did not settle within ${limitSeconds} s${await podsLeft(run)}`);
  run.journal.record({ type: 'scenario-settled', scenario: scenario.name });
  return true;
}

/** What keeps the application's pods from being ready at the end of a limit; empty if they are. */
async function podsLeft(run: ScenarioRun): Promise<string> {
  const { pods } = await retryRead(run, answerWithinSeconds, () => readSnapshot(run.site.cluster, run.settings));
  const trouble = unreadyPods(pods);
  return trouble === '' ? '' : `: ${trouble}`;
}

/** Like `pollCluster`, with what the scenario observes besides the cluster. */
function reaches(
  { run, observation }: Disturbance,
  limitSeconds: number,
  holds: (now: Snapshot) => boolean,
): Promise<boolean> {
  return pollCluster(run, limitSeconds, (now) => holds({ ...now, ...observation.now() }));
}

/** The window closes after the undo and a quiet tail, because downtime that an undo causes counts too. */
async function closeWindow({ run, scenario }: Disturbance): Promise<void> {
  const { site, monitor, journal, signal } = run;
  const undoneAt = site.host.clock.wallAt();
  const limitSeconds = steadyLimitSeconds(run, scenario);
  if (!signal.aborted) run.onWait?.(`for ${goodSamples} good probes in a row after the undo`, limitSeconds);
  if (!signal.aborted) await poll(run, limitSeconds, () => monitor.goodInARow(undoneAt) >= goodSamples);
  const closedAt = site.host.clock.wallAt();
  monitor.edges(false);
  journal.record({ type: 'window-closed', scenario: scenario.name });
  if (!signal.aborted) await monitor.writtenUntil(closedAt);
}

/** Returns false, for the caller to return. */
function inconclusive({ run, scenario }: Disturbance, because: string, needless?: true): false {
  const why = { because, ...(needless && { needless }) };
  run.journal.record({ type: 'scenario-inconclusive', scenario: scenario.name, ...why });
  return false;
}
