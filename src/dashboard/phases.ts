import type { ValidationFact } from '../validation/record/events.ts';

/** The phase that began at that instant (epoch milliseconds). */
export interface Phase {
  readonly at: number;
  readonly name: PhaseName;
  readonly scenario: string | null;
}

/**
 * Phases 1 and 3 of 4.1, then the phases of a scenario in order. `pause` is between two scenarios and after the last
 * one.
 */
export type PhaseName = 'pre-check' | 'apply' | 'baseline' | 'act' | 'settle' | 'undo' | 'quiet' | 'pause' | 'end';

/** The phases of a run in order; each differs from the one before. */
export function phases(facts: readonly ValidationFact[]): readonly Phase[] {
  const found: Phase[] = [];
  const under: Underway = { scenario: null, isDisturbed: false, open: new Set() };
  for (const fact of facts) {
    const name = nextPhase(fact, under);
    const last = found.at(-1);
    if (name === undefined || (last?.name === name && last.scenario === under.scenario)) continue;
    found.push({ at: Date.parse(fact.at), name, scenario: under.scenario });
  }
  return found;
}

interface Underway {
  scenario: string | null;
  /** The round has begun. Actions before it only prepare the baseline. */
  isDisturbed: boolean;
  /** Its actions that are not undone yet. */
  readonly open: Set<string>;
}

function nextPhase(fact: ValidationFact, under: Underway): PhaseName | undefined {
  switch (fact.type) {
    case 'run-started':
      return 'pre-check';
    case 'application-verified':
      return 'pause';
    case 'run-finished':
      return leave(under, 'end');
    case 'scenario-started':
      return begin(under, fact.scenario);
    case 'scenario-finished':
      return leave(under, 'pause');
    default:
      return under.scenario === null ? beforeScenarios(fact) : withinScenario(fact, under);
  }
}

function begin(under: Underway, scenario: string): PhaseName {
  under.scenario = scenario;
  under.isDisturbed = false;
  under.open.clear();
  return 'baseline';
}

function leave(under: Underway, next: PhaseName): PhaseName {
  under.scenario = null;
  return next;
}

const beforeScenarios = ({ type }: ValidationFact): PhaseName | undefined =>
  type === 'action-intended' ? 'apply' : undefined;

function withinScenario(fact: ValidationFact, under: Underway): PhaseName | undefined {
  switch (fact.type) {
    case 'round-opened':
    case 'window-opened':
      under.isDisturbed = true;
      return 'act';
    case 'action-intended':
      under.open.add(fact.id);
      return under.isDisturbed ? 'act' : undefined;
    case 'action-verified':
    case 'action-failed':
      return under.isDisturbed ? 'settle' : undefined;
    case 'scenario-settled':
      return 'undo';
    case 'action-undone':
      under.open.delete(fact.id);
      return under.open.size === 0 ? 'quiet' : 'undo';
    default:
      return undefined;
  }
}
