import type { NodeClaim } from '../../cluster/autoscaler.ts';
import { poll } from '../../cluster/poll.ts';
import { answerWithinSeconds, retryRead } from '../../cluster/retry-read.ts';
import { OperationError } from '../../host/errors.ts';
import { askConsent } from '../actions/consent.ts';
import { actionOf, type PlannedAction } from '../actions/index.ts';
import { performAction } from '../actions/perform-action.ts';
import { goodSamples, holdSeconds } from '../frame.ts';
import { observe } from '../observe/observe.ts';
import { type Before, readSnapshot, readyPods } from '../observe/snapshot.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import {
  atOnce,
  besidePods,
  type Disturbance,
  type Entrant,
  inconclusive,
  journalFor,
  type Part,
  recordObstacles,
} from './part.ts';
import { prepareBaseline, registerUndo, steadyLimitSeconds } from './prepare-baseline.ts';
import { settle } from './settle.ts';

export type { ScenarioRun } from './part.ts';

/**
 * Runs one scenario in the steps that all share: baseline, 30 good samples, plan, actions, settle or limit, undo
 * verified by reading back, 30 good samples, window closed. With several applications it is made once for all of them,
 * and each is waited for; returns those that its actions did not reach. Judges nothing: the journal and the downtime
 * log hold all of it. An `OperationError` makes the scenario inconclusive; rejects with any other error, and with the
 * signal's reason when the run is stopped.
 */
export async function runScenario(first: Entrant, beside: readonly Entrant[] = []): Promise<readonly Entrant[]> {
  const { run, scenario } = first;
  const entrants = [first, ...beside];
  const journal = journalFor(entrants.map((one) => one.run));
  journal.record({ type: 'scenario-started', scenario: scenario.name });
  const disturbance: Disturbance = { lead: run, scenario, parts: [], passedOver: [] };
  try {
    await using observations = new AsyncDisposableStack();
    const parts = entrants.map(
      (one): Part => ({ ...one, observation: observations.use(observe(one.run, scenario.observes)) }),
    );
    disturbance.parts = parts;
    await disturb(disturbance);
  } catch (error) {
    if (run.signal.aborted || !(error instanceof OperationError)) throw error;
    const because = error.message;
    const concerned = journalFor(disturbance.parts.map((part) => part.run));
    concerned.record({ type: 'scenario-inconclusive', scenario: scenario.name, because, brokenOff: true });
  }
  journal.record({ type: 'scenario-finished', scenario: scenario.name });
  return disturbance.passedOver;
}

async function disturb(disturbance: Disturbance): Promise<void> {
  const { rounds = 1 } = disturbance.scenario;
  try {
    await using baseline = new AsyncDisposableStack();
    for (let round = 0; round < rounds; round += 1) {
      if (!(await makeRound(disturbance, round, baseline))) return;
    }
  } finally {
    if (disturbance.window !== undefined) await closeWindow(disturbance, disturbance.window);
  }
}

/** False when no further round is to be made. The round's actions are undone when it returns; the baseline is not. */
async function makeRound(disturbance: Disturbance, round: number, baseline: AsyncDisposableStack): Promise<boolean> {
  const { lead, scenario } = disturbance;
  await prepareBaseline(disturbance, baseline);
  const planned = await planRound(disturbance, round);
  if (planned.length === 0) return false;
  const actions = planned.flatMap((one) => one.actions);
  // The person took so long to answer that the good samples and the plan are out of date: both are repeated.
  if ((await askConsent(lead, actions)) > goodSamples) return makeRound(disturbance, round, baseline);
  openRound(disturbance, round);
  for (const { part, notes } of planned)
    for (const expectation of notes)
      part.run.journal.record({ type: 'scenario-noted', scenario: scenario.name, expectation });
  await using undos = new AsyncDisposableStack();
  if (!(await actOrTell(disturbance, planned, round, undos))) return false;
  await settle(disturbance, round);
  const heldSeconds = scenario.holdSeconds ?? holdSeconds;
  lead.onWait?.('while the effect lasts, before it is undone', heldSeconds);
  await lead.site.host.clock.sleep(heldSeconds, lead.signal);
  return disturbance.parts.length > 0;
}

interface PlannedPart {
  readonly part: Part;
  readonly actions: readonly PlannedAction[];
  readonly notes: Extract<ReturnType<Scenario['plan']>, { readonly actions: unknown }>['notes'] & object;
}

/** The plan for each application; those that it does not reach are passed over, if it reaches others. */
async function planRound(disturbance: Disturbance, round: number): Promise<readonly PlannedPart[]> {
  const { parts } = disturbance;
  for (const part of parts) {
    const { site, settings } = part.run;
    const before = await retryRead(part.run, answerWithinSeconds, () => readSnapshot(site.cluster, settings));
    part.before = before;
  }
  const planned: PlannedPart[] = [];
  for (const part of parts) {
    if (part.before === undefined) continue;
    part.before = { ...part.before, ...besidePods(part, parts, ({ before }) => before?.pods) };
    const plan = part.scenario.plan(part.before, part.run.settings, round);
    if ('inconclusive' in plan) {
      const { inconclusive: because, ...more } = plan;
      inconclusive(disturbance, part, because, more);
    } else planned.push({ part, actions: plan.actions, notes: plan.notes ?? [] });
  }
  return withoutUnreached(disturbance, planned);
}

function withoutUnreached(disturbance: Disturbance, planned: readonly PlannedPart[]): readonly PlannedPart[] {
  const reached = planned.filter(({ part, actions }) => part.before === undefined || isReached(part.before, actions));
  const others = planned.filter((one) => !reached.includes(one));
  if (reached.length === 0 || others.length === 0) return planned;
  for (const { part } of others) {
    part.run.journal.record({ type: 'scenario-passed-over', scenario: disturbance.scenario.name });
    disturbance.passedOver.push(part);
  }
  disturbance.parts = disturbance.parts.filter((part) => !others.some((one) => one.part === part));
  return reached;
}

/** What refuses an action for ever is read before the action is undone. */
async function actOrTell(...acting: Parameters<typeof act>): Promise<boolean> {
  const [disturbance] = acting;
  try {
    return await act(...acting);
  } catch (error) {
    if (error instanceof OperationError && !disturbance.lead.signal.aborted)
      for (const part of disturbance.parts) await recordObstacles(disturbance, part);
    throw error;
  }
}

/**
 * First what several applications ask for alike, once; then for all at once what each asks for alone. False where an
 * action has no effect: that leaves nothing to wait for, and its own expectation says so.
 */
async function act(
  disturbance: Disturbance,
  planned: readonly PlannedPart[],
  round: number,
  undos: AsyncDisposableStack,
): Promise<boolean> {
  const { lead, scenario } = disturbance;
  const askers = Map.groupBy(
    planned.flatMap(({ part, actions }) => actions.map((action) => ({ part, action, text: JSON.stringify(action) }))),
    ({ text }) => text,
  );
  const perform = async (asking: readonly Part[], action: PlannedAction): Promise<boolean> => {
    const acting = { ...lead, journal: journalFor(asking.map(({ run }) => run)) };
    const way = withOneWayBack(disturbance, action, round);
    const { outcome } = await performAction(acting, scenario.name, way, registerUndo(lead, undos));
    return outcome !== 'inconclusive';
  };
  const isShared = (action: PlannedAction): boolean => (askers.get(JSON.stringify(action)) ?? []).length > 1;
  for (const [first, ...others] of askers.values())
    if (first !== undefined && others.length > 0)
      if (!(await perform([first.part, ...others.map(({ part }) => part)], first.action))) return false;
  const acted = await atOnce(planned, async ({ part, actions }) => {
    for (const action of actions) if (!isShared(action) && !(await perform([part], action))) return undefined;
    return part;
  });
  disturbance.parts = disturbance.parts.filter((part) => acted.includes(part));
  return disturbance.parts.length > 0;
}

/**
 * In the last round the replicas return directly to their number before the baseline. Returning to the baseline first
 * would create pods for a moment.
 */
function withOneWayBack({ parts, scenario }: Disturbance, planned: PlannedAction, round: number): PlannedAction {
  const { rounds = 1 } = scenario;
  if (planned.action !== 'scale' || round < rounds - 1) return planned;
  const { target } = planned;
  const scaled = parts.find(
    ({ run: { settings } }) => target.name === settings.application && target.namespace === settings.namespace,
  );
  if (scaled?.replicas === undefined) return planned;
  return { ...planned, target: { ...target, undoTo: scaled.replicas } };
}

/** The first round opens the window in which downtime is the scenario's. */
function openRound(disturbance: Disturbance, round: number): void {
  const { lead, scenario, parts } = disturbance;
  const journal = journalFor(parts.map(({ run }) => run));
  if (disturbance.window === undefined) journal.record({ type: 'window-opened', scenario: scenario.name });
  disturbance.window ??= parts;
  lead.monitor.edges(true);
  journal.record({ type: 'round-opened', scenario: scenario.name, round });
}

/** The window closes after the undo and a quiet tail, because downtime that an undo causes counts too. */
async function closeWindow({ lead, scenario }: Disturbance, parts: readonly Part[]): Promise<void> {
  const { site, monitor, signal } = lead;
  const undoneAt = site.host.clock.wallAt();
  const limitSeconds = steadyLimitSeconds(lead, scenario);
  if (!signal.aborted) lead.onWait?.(`for ${goodSamples} good probes in a row after the undo`, limitSeconds);
  const isSteady = ({ run }: Part): boolean => run.monitor.goodInARow(undoneAt) >= goodSamples;
  if (!signal.aborted) await poll(lead, limitSeconds, () => parts.every(isSteady));
  const closedAt = site.host.clock.wallAt();
  monitor.edges(false);
  journalFor(parts.map(({ run }) => run)).record({ type: 'window-closed', scenario: scenario.name });
  if (!signal.aborted) await monitor.writtenUntil(closedAt);
}

/** The nodes that the actions remove. */
const nodesTaken = (actions: readonly PlannedAction[], claims: readonly NodeClaim[]): readonly string[] =>
  actions.flatMap((planned) => actionOf(planned).takes?.(planned.target, claims) ?? []);

/**
 * Whether the actions disturb this application. Actions that remove nodes do so only if one of its ready pods is on
 * such a node.
 */
function isReached(before: Before, actions: readonly PlannedAction[]): boolean {
  const nodes = nodesTaken(actions, before.claims);
  return nodes.length === 0 || readyPods(before).some(({ spec }) => nodes.includes(spec.nodeName ?? ''));
}
