import type { ValidationFact } from '../record/events.ts';
import { runStarted, type ScenarioRecord, scenarioRecords, takenNodes } from '../record/records.ts';
import { scenarioNamed } from '../scenarios/index.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Ours } from './replacements.ts';

/** What the run caused on purpose, for whichever of its applications. */
export function causedBy(facts: readonly ValidationFact[]): Ours {
  const windows = disturbances(scenarioRecords(facts));
  const mayRemoveEmptyNodes = windows.filter(({ scenario }) => scenario.mayRemoveEmptyNodes);
  const isOwnersPool = runStarted(facts)?.settings.manifests === 'none';
  return { taken: takenNodes(facts), mayRemoveEmptyNodes, isOwnersPool, scaled: scaled(facts) };
}

export interface Disturbance {
  readonly scenario: Scenario;
  readonly from: number;
  readonly to: number;
}

/** When each scenario disturbed something. */
export function disturbances(records: readonly ScenarioRecord[]): readonly Disturbance[] {
  return records.flatMap(({ name, disturbed }) => {
    const scenario = scenarioNamed(name);
    return scenario === undefined || disturbed === undefined ? [] : [{ scenario, ...disturbed }];
  });
}

/**
 * The times from each `scale` of the run to the end of its scenario. A pod that leaves its node after that did not
 * leave because of the scaling.
 */
function scaled(facts: readonly ValidationFact[]): readonly { readonly from: number; readonly to: number }[] {
  return facts.flatMap((fact, index) => {
    if (fact.type !== 'action-intended' || fact.action !== 'scale') return [];
    const end = facts.slice(index).find(({ type }) => type === 'scenario-finished');
    return [{ from: Date.parse(fact.at), to: end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end.at) }];
  });
}
