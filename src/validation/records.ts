import type { WatchedKind } from './digest.ts';
import type { ClusterChanged, RunStarted, ValidationFact } from './events.ts';
import type { History } from './history.ts';

/** What the journal says of one scenario. Instants are epoch milliseconds. */
export interface ScenarioRecord {
  readonly name: string;
  readonly window?: { readonly from: number; readonly to: number };
  readonly actedAt?: number;
  readonly restAt?: number;
  readonly inconclusive: readonly string[];
  readonly actions: readonly Extract<ValidationFact, { type: 'action-verified' }>[];
}

type OfType<T extends ValidationFact['type']> = Extract<ValidationFact, { type: T }>;

export function ofType<T extends ValidationFact['type']>(
  facts: readonly ValidationFact[],
  type: T,
): readonly OfType<T>[] {
  return facts.filter((fact): fact is OfType<T> => fact.type === type);
}

export const runStarted = (facts: readonly ValidationFact[]): RunStarted | undefined => ofType(facts, 'run-started')[0];

export function historyOf(facts: readonly ValidationFact[]): History {
  return {
    changes: ofType(facts, 'cluster-changed') as readonly ClusterChanged[],
    watched: new Set<WatchedKind>(ofType(facts, 'cluster-watched').map(({ kind }) => kind)),
  };
}

/** Pure. The scenarios that were begun, each with the facts between its start and its end. */
export function scenarioRecords(facts: readonly ValidationFact[]): readonly ScenarioRecord[] {
  return facts.flatMap((fact, index) => {
    if (fact.type !== 'scenario-started') return [];
    const after = facts.slice(index + 1);
    const end = after.findIndex(({ type }) => type === 'scenario-started' || type === 'scenario-finished');
    return [recordOf(fact.scenario, end === -1 ? after : after.slice(0, end), end !== -1)];
  });
}

function recordOf(name: string, facts: readonly ValidationFact[], finished: boolean): ScenarioRecord {
  const opened = at(facts, 'window-opened');
  const closed = at(facts, 'window-closed');
  const inWindow = facts.slice(
    Math.max(
      0,
      facts.findIndex(({ type }) => type === 'window-opened'),
    ),
  );
  const actedAt = at(inWindow, 'action-intended');
  const restAt = at(inWindow, 'scenario-settled') ?? at(inWindow, 'action-undone') ?? closed;
  const because = ofType(facts, 'scenario-inconclusive').map((fact) => fact.because);
  return {
    name,
    ...(opened === undefined || closed === undefined ? {} : { window: { from: opened, to: closed } }),
    ...(actedAt === undefined ? {} : { actedAt }),
    ...(restAt === undefined ? {} : { restAt }),
    inconclusive: finished ? because : [...because, 'the run ended before this scenario did'],
    actions: ofType(facts, 'action-verified'),
  };
}

function at(facts: readonly ValidationFact[], type: ValidationFact['type']): number | undefined {
  const fact = facts.find((candidate) => candidate.type === type);
  return fact === undefined ? undefined : Date.parse(fact.at);
}
