import type { Cluster } from '../../cluster/cluster.ts';
import { readable } from '../../cluster/readable.ts';
import type { HorizontalPodAutoscaler } from '../../cluster/resources.ts';
import { podsWanted } from '../../cluster/workload.ts';
import { OperationError } from '../../host/errors.ts';
import { chooseForDrain } from '../actions/drain-filter.ts';
import { actionOf, type PlannedAction } from '../actions/index.ts';
import type { Expectation } from '../finding.ts';
import { leaseName } from '../lease/lease-object.ts';
import { type Adoption, adoptionOf } from '../manifests/adoption.ts';
import { nameOf, previewManifests } from '../manifests/preview.ts';
import { neighboursNote } from '../observe/neighbours.ts';
import { type ProbeZones, probeZones } from '../observe/probe-zones.ts';
import { readHorizontalAutoscalers } from '../observe/read-horizontal-autoscalers.ts';
import { type Before, readSnapshot } from '../observe/snapshot.ts';
import { missingPermissions } from '../permissions/missing-permissions.ts';
import { type Permission, permissions } from '../permissions/permissions.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import { predict } from '../predict/predict.ts';
import { readCircumstances, whenApplied } from '../predict/read-circumstances.ts';
import { type RunCost, runCost } from '../predict/run-cost.ts';
import type { Prediction } from '../record/prediction.ts';
import type { Plan, Scenario } from '../scenarios/scenario.ts';
import { scenarioGuard } from '../scenarios/scenario-guard.ts';
import { withStartingReplicas } from '../scenarios/starting-replicas.ts';
import { hasReplicas, leaseNamespaceOf, type Settings, workloadOf } from '../settings.ts';
import type { Site } from '../site.ts';
import { atBaseline, noteOfPlanned, placeholderNotes, willBeApplied } from './plan-placeholders.ts';
import { planSite } from './plan-site.ts';

/** Every write that a run would make, its undo, who else is affected, and what is predicted. */
export interface RunPlan {
  /** The Lease that keeps other runs out: created at the start, renewed, and deleted at the end. */
  readonly lease: string;
  readonly applies: readonly { readonly subject: string; readonly adoption: Adoption }[];
  /** The pods that probe from within the cluster, and the zones that get none; absent where nobody asked for them. */
  readonly probes?: ProbesPlan;
  readonly scenarios: readonly ScenarioPlan[];
  readonly cost: RunCost;
  readonly missing: readonly Permission[];
}
export interface ProbesPlan extends Pick<ProbeZones, 'without'> {
  readonly writes: readonly PlannedWrite[];
}
export interface ScenarioPlan {
  readonly name: string;
  readonly title: string;
  readonly writes: readonly PlannedWrite[];
  /** Who else is affected, and what else to know of the cluster. */
  readonly notes: readonly string[];
  /** Why the scenario cannot be planned yet, or will not run; null otherwise. */
  readonly open: string | null;
  readonly prediction: Prediction | null;
}
export interface PlannedWrite {
  readonly action: string;
  readonly subject: string;
  /** The value that is set: `replicas 5`; empty for an action without one. */
  readonly change: string;
  /** The command that a person types to undo it by hand; null if the object cannot be read yet. */
  readonly undo: string | null;
}

export interface PlannedRun {
  readonly site: Site;
  readonly settings: Settings;
  readonly scenarios: readonly Scenario[];
  readonly cleanup: boolean;
}

/** Plans a run by reads and dry runs; writes nothing. */
export async function planRun({ site, settings, scenarios, cleanup }: PlannedRun): Promise<RunPlan> {
  const { cluster } = site;
  const previews = await previewManifests(cluster, settings);
  const needsZone = scenarios.some(({ needs }) => needs === 'zone');
  const found = await foresee(await planSite(site, previews, settings), settings, needsZone);
  const { now } = found;
  const plans: ScenarioPlan[] = [];
  for (const scenario of scenarios) plans.push(await planScenario(scenario, found, settings));
  return {
    lease: `Lease ${leaseNamespaceOf(settings)}/${leaseName}`,
    applies: previews.map((preview) => ({ subject: nameOf(preview.resource), adoption: adoptionOf(preview) })),
    ...(settings.vantage === undefined ? {} : { probes: await planProbes(site, found.before, settings) }),
    scenarios: plans,
    cost: runCost(scenarios, now, settings, found.phase3Nodes),
    missing: await missingPermissions(cluster, permissions({ settings, scenarios, cleanup })),
  };
}

/** The name of each pod ends with the id of the run. */
async function planProbes(site: Site, { nodes, pods }: Before, settings: Settings): Promise<ProbesPlan> {
  const { zones, without } = probeZones(nodes, pods, settings);
  const avoids = [...new Set(pods.flatMap(({ spec }) => spec.nodeName ?? []))];
  const writes: PlannedWrite[] = [];
  for (const zone of zones)
    writes.push(
      await plannedWrite(site, {
        action: 'start-probe',
        target: { settings, place: { zone, avoids, run: '<run>' } },
      }),
    );
  return { writes, without };
}

/** The cluster after phase 3, as far as it is known now. */
interface Foreseen {
  readonly site: Site;
  readonly before: Before;
  readonly now: Circumstances;
  /** The most nodes that the autoscaler may start for the application that phase 3 applies. */
  readonly phase3Nodes: number;
  readonly autoscalers: readonly HorizontalPodAutoscaler[];
}

async function foresee(site: Site, settings: Settings, needsZone: boolean): Promise<Foreseen> {
  const { cluster, cloud } = site;
  const read = await readCircumstances(cluster, settings, needsZone ? cloud : undefined);
  const before = await readSnapshot(cluster, settings);
  const now = willBeApplied(before, settings) ? whenApplied(read) : read;
  const autoscalers = settings.manifests === 'none' ? await readHorizontalAutoscalers(cluster, settings) : [];
  const phase3Nodes = willBeApplied(before, settings) ? now.poolNodes - before.claims.length : 0;
  return { site, before, now, phase3Nodes, autoscalers };
}

async function planScenario(
  wanted: Scenario,
  { site, before: found, now, autoscalers }: Foreseen,
  settings: Settings,
): Promise<ScenarioPlan> {
  const scenario = withStartingReplicas(wanted, found, autoscalers, settings);
  const { name, title, rounds = 1, baseline } = scenario;
  const summary = { name, title, prediction: predict(scenario, now, settings) };
  const refused = scenarioGuard(scenario, found, autoscalers, settings);
  if (refused !== undefined) return { ...summary, writes: [], notes: [], open: refused };
  const before = atBaseline(found, baseline.appReplicas, settings);
  const plans = Array.from({ length: rounds }, (_, round) => scenario.plan(before, settings, round));
  const planned = [...toBaseline(scenario, before, settings), ...plans.flatMap(actionsOf)];
  const writes: PlannedWrite[] = [];
  for (const one of planned) writes.push(await plannedWrite(site, one));
  const evicting = plans.flatMap(actionsOf).filter((one) => actionOf(one).evicts);
  const drained = evicting.flatMap((one) => actionOf(one).takes?.(one.target, before.claims) ?? []);
  const neighbours = drained.map((node) => neighboursNote(before, node));
  const notes = [...new Set([...plans.flatMap(notesOf), ...neighbours].map((note) => noteText(noteOfPlanned(note))))];
  const refusals = await Promise.all(drained.map((node) => simulateDrain(site.cluster, node)));
  return {
    ...summary,
    writes: distinct(writes),
    notes: [
      ...placeholderNotes([...writes.map(textOf), ...notes].join('\n'), planned, settings),
      ...notes,
      ...refusals.flat(),
    ],
    open: plans.flatMap((plan) => ('inconclusive' in plan ? [plan.inconclusive] : []))[0] ?? null,
  };
}

const actionsOf = (plan: Plan): readonly PlannedAction[] => ('inconclusive' in plan ? [] : plan.actions);

const notesOf = (plan: Plan): readonly Expectation[] => ('inconclusive' in plan ? [] : (plan.notes ?? []));

const textOf = ({ action, subject, undo }: PlannedWrite): string => `${action}: ${subject}\n${undo}`;

const noteText = ({ expected, observed }: Expectation): string => `${expected}: ${observed}`;

/** The action that sets the number of replicas that the scenario starts from; none if it is set already. */
function toBaseline(
  { baseline: { appReplicas, asItIs } }: Scenario,
  { workload }: Before,
  settings: Settings,
): readonly PlannedAction[] {
  if (asItIs || workload === undefined || !hasReplicas(settings) || podsWanted(workload) === appReplicas) return [];
  return [{ action: 'scale', target: { ...workloadOf(settings), replicas: appReplicas } }];
}

/** Prepares the action, which reads what will be replaced and writes nothing. */
async function plannedWrite(site: Site, planned: PlannedAction): Promise<PlannedWrite> {
  const action = actionOf(planned);
  const write = { action: action.name, change: changeText(planned.target) };
  try {
    const intent = await action.prepare(site, planned.target);
    return { ...write, subject: action.subject(intent), undo: action.byHand(intent) };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { ...write, subject: `not yet: ${error.message}`, undo: null };
  }
}

/** Members of a target that name the object; the others are values that are set. */
const identity = new Set(['name', 'namespace', 'uid', 'node', 'nodePool', 'nodeClaim', 'zone', 'url']);

function changeText(target: object): string {
  const values = Object.entries(target).filter(([key, value]) => !identity.has(key) && typeof value !== 'object');
  return values.map(([key, value]) => `${key} ${value}`).join(', ');
}

function distinct(writes: readonly PlannedWrite[]): readonly PlannedWrite[] {
  return [...new Map(writes.map((write) => [JSON.stringify(write), write])).values()];
}

/**
 * Why a node could not be drained: kubectl's fatal rules, and the refusals of a dry run of each eviction, in the
 * server's words. Each eviction is tried on its own, so two pods of one budget may both pass (docs/facts/kubernetes.md,
 * "Evictions and budgets").
 */
async function simulateDrain(cluster: Cluster, node: string): Promise<readonly string[]> {
  const pods = await cluster.list('Pod', { fieldSelector: `spec.nodeName=${node}` });
  const { evict, fatal } = chooseForDrain(pods);
  const refused: string[] = [];
  for (const pod of evict) {
    const eviction = await readable(cluster.evict(pod, { dryRun: true }));
    if (eviction?.outcome === 'refused')
      refused.push(`${pod.namespace}/${pod.name} would not be evicted: ${eviction.cause}`);
  }
  return [...fatal, ...refused];
}
