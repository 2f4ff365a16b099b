import type { Expectation, Obstacle } from '../finding.ts';
import { hasKarpenter } from '../settings.ts';
import type { ClockCompared } from './clock-compared.ts';
import { type WatchedKind, watchedKinds } from './digest.ts';
import type {
  ActionIntended,
  ClusterChanged,
  RunStarted,
  RunVantages,
  ScenarioInconclusive,
  ValidationFact,
} from './events.ts';
import { dated, type History } from './history.ts';
import type { LoadRecorded } from './load-recorded.ts';
import type { Observed } from './observed.ts';

/** One scenario in the journal. Instants are epoch milliseconds. */
export interface ScenarioRecord {
  readonly name: string;
  readonly window?: { readonly from: number; readonly to: number };
  /**
   * The time in which effects may be the scenario's: its window, or if that was not closed, until the next scenario.
   */
  readonly disturbed?: { readonly from: number; readonly to: number };
  /** The rounds that had an action, in order. */
  readonly rounds: readonly Round[];
  readonly inconclusive: readonly Pick<ScenarioInconclusive, 'because' | 'rules'>[];
  /** What keeps it from ever coming to its end. */
  readonly blocked: readonly Obstacle[];
  /** Why the cluster had nothing that it could disturb. */
  readonly needless?: string;
  /** Of several applications its actions did not reach this one, for which it is made again. */
  readonly passedOver?: true;
  /** It did not finish, or an action of it failed, so its expectations cannot be demanded. */
  readonly brokenOff: boolean;
  readonly notes: readonly Expectation[];
  readonly actions: readonly Extract<ValidationFact, { type: 'action-verified' }>[];
  readonly observed: readonly Timed<Observed>[];
  readonly load?: LoadRecorded;
  /** Before its window; absent where the API server's clock was not asked. */
  readonly clock?: ClockCompared;
}
/** One pass of a scenario. */
export interface Round {
  readonly openedAt: number;
  /** When the last action was intended, which is the start of the disruption itself. */
  readonly actedAt: number;
  /** When the cluster had settled or the time limit was reached, before anything was undone. */
  readonly restAt: number;
  /** When the first of its actions had been undone; absent if none was. */
  readonly undoneAt?: number;
}
export type Timed<F> = F & { readonly at: string };

/** A node that an action of the run removed. */
export interface TakenNode {
  readonly node: string;
  readonly action: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

type OfType<T extends ValidationFact['type']> = Extract<ValidationFact, { type: T }>;

export function ofType<T extends ValidationFact['type']>(
  facts: readonly ValidationFact[],
  type: T,
): readonly OfType<T>[] {
  return facts.filter((fact): fact is OfType<T> => fact.type === type);
}

export const runStarted = (facts: readonly ValidationFact[]): RunStarted | undefined => ofType(facts, 'run-started')[0];

/** The probers of a run; undefined with one. Those of probe pods are known only when the pods run. */
export const runVantages = (facts: readonly ValidationFact[]): RunVantages | undefined =>
  ofType(facts, 'probes-placed').at(-1)?.vantages ?? runStarted(facts)?.vantages;

/**
 * A kind counts as watched only if at least one object of it was seen; a PodDisruptionBudget may be absent, and
 * Karpenter's objects where there is none.
 */
export function historyOf(facts: readonly ValidationFact[]): History {
  const changes = (ofType(facts, 'cluster-changed') as readonly ClusterChanged[]).map(dated);
  const started = runStarted(facts);
  const absent: readonly WatchedKind[] =
    started === undefined || hasKarpenter(started.settings) ? [] : ['NodeClaim', 'NodePool'];
  const seen = new Set<WatchedKind>(['PodDisruptionBudget', ...absent, ...changes.map(({ kind }) => kind)]);
  const watched = ofType(facts, 'cluster-watched');
  const lost = ofType(facts, 'cluster-unwatched').map(({ kind, since, at: lostAt }) => {
    const again = watched.find((fact) => fact.kind === kind && fact.at >= lostAt);
    return { kind, from: Date.parse(since), to: again === undefined ? Number.POSITIVE_INFINITY : Date.parse(again.at) };
  });
  const from = damagedFrom(facts);
  // The damaged line may have held a change that a later list does not show.
  const damaged = from === undefined ? [] : watchedKinds.map((kind) => ({ kind, from, to: Number.POSITIVE_INFINITY }));
  const gaps = [...lost, ...damaged];
  return { changes, watched: new Set(watched.map(({ kind }) => kind).filter((kind) => seen.has(kind))), gaps };
}

/**
 * The instant (epoch milliseconds) from which the journal is incomplete: the last start or end of a scenario or the run
 * before its first damaged line, because half a scenario cannot be judged. Undefined if no line is damaged.
 */
export function damagedFrom(facts: readonly ValidationFact[]): number | undefined {
  const damaged = facts.findIndex(({ type }) => type === 'line-damaged');
  if (damaged === -1) return undefined;
  const boundary = facts.slice(0, damaged).findLast(({ type }) => boundaries.has(type));
  return Date.parse((boundary ?? facts[damaged])?.at ?? '');
}
const boundaries = new Set<ValidationFact['type']>(['run-started', 'scenario-started', 'scenario-finished']);

/** The nodes that the run removed on purpose, in order. */
export function takenNodes(facts: readonly ValidationFact[]): readonly TakenNode[] {
  return (ofType(facts, 'action-intended') as readonly ActionIntended[]).flatMap(
    ({ node, nodes = node === undefined ? [] : [node], action, at: time }) =>
      nodes.map((one) => ({ node: one, action, at: Date.parse(time) })),
  );
}

/** The scenarios that were started, each with the facts between its start and its end. */
export function scenarioRecords(facts: readonly ValidationFact[]): readonly ScenarioRecord[] {
  return facts.flatMap((fact, index) => {
    if (fact.type !== 'scenario-started') return [];
    const after = facts.slice(index + 1);
    const end = after.findIndex(({ type }) => type === 'scenario-started' || type === 'scenario-finished');
    return [recordOf(fact.scenario, end === -1 ? after : after.slice(0, end), after[end]?.at)];
  });
}

function recordOf(name: string, facts: readonly ValidationFact[], finishedAt: string | undefined): ScenarioRecord {
  const opened = at(facts, 'window-opened');
  const closed = at(facts, 'window-closed');
  const load = ofType(facts, 'action-performed').find((fact) => fact.load !== undefined)?.load;
  const needless = ofType(facts, 'scenario-inconclusive').find((fact) => fact.needless)?.because;
  const endedAt = finishedAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(finishedAt);
  return {
    name,
    ...(opened === undefined || closed === undefined ? {} : { window: { from: opened, to: closed } }),
    ...(opened === undefined ? {} : { disturbed: { from: opened, to: closed ?? endedAt } }),
    rounds: roundsOf(facts, closed),
    brokenOff: finishedAt === undefined || facts.some((fact) => stopsRun(fact) || breaksOff(fact)),
    inconclusive: doubts(facts, finishedAt !== undefined),
    blocked: ofType(facts, 'scenario-blocked').flatMap(({ obstacles }) => obstacles),
    notes: ofType(facts, 'scenario-noted').map(({ expectation }) => expectation),
    actions: ofType(facts, 'action-verified'),
    observed: facts.filter((fact): fact is Timed<Observed> & ValidationFact => observations.has(fact.type)),
    ...(load === undefined ? {} : { load }),
    ...clockOf(facts),
    ...(needless === undefined ? {} : { needless }),
    ...(facts.some(({ type }) => type === 'scenario-passed-over') ? { passedOver: true } : {}),
  };
}

function clockOf(facts: readonly ValidationFact[]): Pick<ScenarioRecord, 'clock'> {
  const [clock] = ofType(facts, 'clock-compared');
  return clock === undefined ? {} : { clock };
}

function doubts(facts: readonly ValidationFact[], finished: boolean): ScenarioRecord['inconclusive'] {
  const noted = ofType(facts, 'scenario-inconclusive');
  const isCutShort = !finished || (noted.length === 0 && facts.some(stopsRun));
  return [
    ...noted,
    ...(facts.some(({ type }) => type === 'line-damaged') ? [{ because: 'a line of its journal is damaged' }] : []),
    ...(isCutShort ? [{ because: 'the run ended before this scenario did' }] : []),
  ];
}

/** After this the run undoes its actions without waiting for the application's pods or for good samples. */
const stopsRun = ({ type }: ValidationFact): boolean => type === 'run-interrupted' || type === 'run-aborted';

/**
 * The scenario ends after an error, or after an action whose effect is unknown; what a damaged line held is unknown
 * too.
 */
function breaksOff(fact: ValidationFact): boolean {
  if (fact.type === 'action-verified') return fact.expectation.outcome === 'inconclusive';
  if (fact.type === 'line-damaged') return true;
  return fact.type === 'action-failed' || (fact.type === 'scenario-inconclusive' && fact.brokenOff === true);
}

const observations = new Set<ValidationFact['type']>([
  'name-seen',
  'zone-read',
  'cpu-seen',
  'cpu-not-measured',
] satisfies readonly Observed['type'][]);

/** A window without `round-opened` facts is one round. */
function roundsOf(facts: readonly ValidationFact[], closed: number | undefined): readonly Round[] {
  const type = facts.some((fact) => fact.type === 'round-opened') ? 'round-opened' : 'window-opened';
  const starts = facts.flatMap((fact, index) => (fact.type === type ? [index] : []));
  return starts.flatMap((start, index) => {
    const inRound = facts.slice(start, starts[index + 1]);
    const undoneAt = at(inRound, 'action-undone');
    const restAt = at(inRound, 'scenario-settled') ?? undoneAt ?? closed;
    const actedAt = ofType(inRound, 'action-intended')
      .map((fact) => Date.parse(fact.at))
      .findLast((instant) => restAt === undefined || instant <= restAt);
    const openedAt = Date.parse(inRound[0]?.at ?? '');
    return actedAt === undefined || restAt === undefined
      ? []
      : [{ openedAt, actedAt, restAt, ...(undoneAt === undefined ? {} : { undoneAt }) }];
  });
}

function at(facts: readonly ValidationFact[], type: ValidationFact['type']): number | undefined {
  const fact = facts.find((candidate) => candidate.type === type);
  return fact === undefined ? undefined : Date.parse(fact.at);
}
