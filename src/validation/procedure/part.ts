import type { Pod } from '../../cluster/resources.ts';
import { answerWithinSeconds, retryRead } from '../../cluster/retry-read.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Begun } from '../actions/action.ts';
import type { Acting } from '../actions/perform-action.ts';
import { readObstacles } from '../blocked/read-obstacles.ts';
import type { Monitor } from '../monitor/monitor.ts';
import type { Observation } from '../observe/observe.ts';
import type { Watching } from '../observe/poll-cluster.ts';
import type { Before, Snapshot } from '../observe/snapshot.ts';
import type { ScenarioInconclusive, ValidationFact } from '../record/events.ts';
import type { Undo } from '../record/undo.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Watched } from './with-monitor.ts';

/**
 * What a scenario is run with: its actions are performed, the cluster and the downtime log are watched, and everything
 * is undone.
 */
export interface ScenarioRun extends Acting, Watching {
  readonly monitor: Pick<Monitor, 'readyToAct' | 'goodInARow' | 'intervalSeconds' | 'writtenUntil' | 'edges'>;
  /** Ends the monitor and the watch of the cluster. */
  readonly stopWatching: () => Promise<void>;
  /** Undoes an action that was begun. */
  readonly undo: (begun: Begun) => Promise<Undo>;
  /** Of the application. */
  readonly name: string;
  readonly limit: Watched['limit'];
  /** In a run of several applications, the journal for what concerns those with these names; without names all. */
  readonly journalFor?: (names: readonly string[]) => Journal<ValidationFact>;
}

/** An application, and the scenario as its owner allows it. */
export interface Entrant {
  readonly run: ScenarioRun;
  readonly scenario: Scenario;
}

/** An application in a scenario. */
export interface Part extends Entrant {
  readonly observation: Observation;
  /** Its replicas before the baseline, if the baseline changed them. */
  replicas?: number | undefined;
  /** The cluster as the plan of the round found it. */
  before?: Before;
}

/** A scenario under way. */
export interface Disturbance {
  readonly lead: ScenarioRun;
  /** As it is for the first application. */
  readonly scenario: Scenario;
  /** The applications for which it has not ended. */
  parts: readonly Part[];
  /** Those whose window is open. */
  window?: readonly Part[];
  readonly passedOver: Entrant[];
}

/** The journal for what concerns these applications. */
export function journalFor(
  runs: readonly Pick<ScenarioRun, 'name' | 'journal' | 'journalFor'>[],
): Journal<ValidationFact> {
  const [first] = runs;
  if (first === undefined) throw new Error('a scenario without an application');
  return first.journalFor?.(runs.map(({ name }) => name)) ?? first.journal;
}

/** The scenario is over for this application. */
export function inconclusive(
  disturbance: Disturbance,
  part: Part,
  because: string,
  more: Pick<ScenarioInconclusive, 'rules' | 'needless'> = {},
): void {
  const { name: scenario } = disturbance.scenario;
  part.run.journal.record({ type: 'scenario-inconclusive', scenario, because, ...more });
  disturbance.parts = disturbance.parts.filter((one) => one !== part);
}

/** The same, with what keeps it from going on for ever if something does: by the objects of this moment. */
export async function stuck(disturbance: Disturbance, part: Part, because: string): Promise<void> {
  await recordObstacles(disturbance, part);
  inconclusive(disturbance, part, because);
}

export async function recordObstacles({ scenario }: Disturbance, { run }: Part): Promise<void> {
  const { name, disturbs } = scenario;
  const evicts = disturbs?.includes('budget') === true;
  const obstacles = await retryRead(run, answerWithinSeconds, () =>
    readObstacles(run.site.cluster, run.settings, evicts),
  );
  if (obstacles.length > 0) run.journal.record({ type: 'scenario-blocked', scenario: name, obstacles });
}

/** The pods of the scenario's other applications; absent if there are none. */
export function besidePods(
  part: Part,
  parts: readonly Part[],
  podsOf: (other: Part) => readonly Pod[] | undefined,
): Pick<Snapshot, 'beside'> {
  const others = parts.filter((one) => one !== part);
  return others.length === 0 ? {} : { beside: others.map((one) => podsOf(one) ?? []) };
}

/**
 * Waits for all, even after one rejects, so that nothing still runs during the undo; then rejects with the first
 * reason.
 */
export async function atOnce<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<readonly R[]> {
  const ended = await Promise.allSettled(all.map(work));
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
