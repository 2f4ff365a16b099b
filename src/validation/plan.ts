import type { HorizontalPodAutoscaler } from '../cluster/resources.ts';
import { OperationError } from '../host/errors.ts';
import type { Action } from './action.ts';
import { actions, type PlannedAction } from './actions/index.ts';
import { type Adoption, adoptionOf } from './adoption.ts';
import { simulateDrain } from './drain-simulation.ts';
import type { Expectation } from './finding.ts';
import { leaseName } from './lease-object.ts';
import { missingPermissions } from './missing-permissions.ts';
import { neighboursNote } from './neighbours.ts';
import { type Permission, permissions } from './permissions.ts';
import type { Circumstances } from './predict/circumstances.ts';
import { predict } from './predict/predict.ts';
import type { Prediction } from './predict/prediction.ts';
import { readCircumstances } from './predict/read-circumstances.ts';
import { type RunCost, runCost } from './predict/run-cost.ts';
import { nameOf, previewManifests } from './preview.ts';
import { readAutoscalers } from './read-autoscalers.ts';
import type { Plan, Scenario, Site } from './scenario.ts';
import { scenarioGuard } from './scenario-guard.ts';
import type { Settings } from './settings.ts';
import { type Before, readSnapshot } from './snapshot.ts';

/** Every write that a run would make, its undo, who else is hit, and what is expected of it. Nothing is written to say so. */
export interface RunPlan {
  /** What locks other runs out: made at the start, renewed, and deleted in the end. */
  readonly lease: string;
  readonly applies: readonly { readonly subject: string; readonly adoption: Adoption }[];
  readonly scenarios: readonly ScenarioPlan[];
  readonly cost: RunCost;
  readonly missing: readonly Permission[];
}
export interface ScenarioPlan {
  readonly name: string;
  readonly title: string;
  readonly writes: readonly PlannedWrite[];
  /** Who else is hit, and what else is worth knowing of the circumstances. */
  readonly notes: readonly string[];
  /** Why it cannot be said yet, or will not be made. */
  readonly open: string | null;
  readonly prediction: Prediction | null;
}
export interface PlannedWrite {
  readonly action: string;
  readonly subject: string;
  /** What it is set to: `replicas 5`; empty where the action says it all. */
  readonly change: string;
  /** What a person types to put it back by hand; null for what cannot be looked at yet. */
  readonly undo: string | null;
}

export interface PlannedRun {
  readonly site: Site;
  readonly settings: Settings;
  readonly scenarios: readonly Scenario[];
  readonly cleanup: boolean;
}

export async function planRun({ site, settings, scenarios, cleanup }: PlannedRun): Promise<RunPlan> {
  const { cluster } = site;
  const previews = await previewManifests(cluster, settings);
  const now = await readCircumstances(cluster, settings);
  const before = await readSnapshot(cluster, settings);
  const autoscalers = settings.manifests === 'none' ? await readAutoscalers(cluster, settings) : [];
  const found = { before, now, autoscalers };
  const plans: ScenarioPlan[] = [];
  for (const scenario of scenarios) plans.push(await planScenario(site, settings, scenario, found));
  const names = scenarios.map(({ name }) => name);
  return {
    lease: `Lease ${settings.namespace}/${leaseName}`,
    applies: previews.map((preview) => ({ subject: nameOf(preview.resource), adoption: adoptionOf(preview) })),
    scenarios: plans,
    cost: runCost(scenarios, now, settings),
    missing: await missingPermissions(cluster, permissions({ settings, scenarios: names, cleanup })),
  };
}

/** What is there now. */
interface Found {
  readonly before: Before;
  readonly now: Circumstances;
  readonly autoscalers: readonly HorizontalPodAutoscaler[];
}

async function planScenario(
  site: Site,
  settings: Settings,
  scenario: Scenario,
  { before, now, autoscalers }: Found,
): Promise<ScenarioPlan> {
  const { name, title, rounds = 1 } = scenario;
  const known = { name, title, prediction: predict(scenario, now, settings) ?? null };
  const refused = scenarioGuard(scenario, before, autoscalers, settings);
  if (refused !== undefined) return { ...known, writes: [], notes: [], open: refused };
  const plans = Array.from({ length: rounds }, (_, round) => scenario.plan(before, settings, round));
  const writes: PlannedWrite[] = [];
  for (const planned of [...baseline(scenario, before, settings), ...plans.flatMap(actionsOf)])
    writes.push(await plannedWrite(site, planned));
  const drained = plans.flatMap(actionsOf).flatMap((one) => (one.action === 'drain-node' ? [one.target.node] : []));
  const hits = drained.map((node) => noteText(neighboursNote(before, node)));
  const refusals = await Promise.all(drained.map((node) => simulateDrain(site.cluster, node)));
  return {
    ...known,
    writes: distinct(writes),
    notes: [...new Set([...plans.flatMap(notesOf), ...hits, ...refusals.flat()])],
    open: plans.flatMap((plan) => ('inconclusive' in plan ? [plan.inconclusive] : []))[0] ?? null,
  };
}

const actionsOf = (plan: Plan): readonly PlannedAction[] => ('inconclusive' in plan ? [] : plan.actions);

function notesOf(plan: Plan): readonly string[] {
  const notes = 'inconclusive' in plan ? [] : (plan.notes ?? []);
  return notes.map(noteText);
}

const noteText = ({ expected, observed }: Expectation): string => `${expected}: ${observed}`;

/** The number of replicas that it starts from is brought about first. */
function baseline(
  { baseline: { appReplicas } }: Scenario,
  { deployment }: Before,
  settings: Settings,
): readonly PlannedAction[] {
  const { namespace, application: name } = settings;
  if (deployment === undefined || deployment.spec.replicas === appReplicas) return [];
  return [{ action: 'scale', target: { namespace, name, replicas: appReplicas } }];
}

/** Preparing reads what will be replaced, and writes nothing. */
async function plannedWrite(site: Site, planned: PlannedAction): Promise<PlannedWrite> {
  const action = actions[planned.action] as Action<unknown, unknown>;
  const write = { action: action.name, change: changeText(planned.target) };
  try {
    const intent = await action.prepare(site, planned.target);
    return { ...write, subject: action.subject(intent), undo: action.byHand(intent) };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { ...write, subject: `not yet: ${error.message}`, undo: null };
  }
}

/** Members of a target that say what is meant, not what it becomes. */
const identity = new Set(['name', 'namespace', 'uid', 'node', 'nodePool', 'nodeClaim', 'zone', 'url']);

function changeText(target: object): string {
  const values = Object.entries(target).filter(([key, value]) => !identity.has(key) && typeof value !== 'object');
  return values.map(([key, value]) => `${key} ${value}`).join(', ');
}

function distinct(writes: readonly PlannedWrite[]): readonly PlannedWrite[] {
  return [...new Map(writes.map((write) => [JSON.stringify(write), write])).values()];
}
