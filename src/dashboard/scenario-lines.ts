import type { RunResult, ScenarioResult } from '../validation/judge/run-result.ts';
import type { ValidationFact } from '../validation/record/events.ts';
import { ofType, runStarted } from '../validation/record/records.ts';
import { furtherScenarios, scenarios } from '../validation/scenarios/index.ts';

/** A row of table 4.1 in this run. Instants are epoch milliseconds, null for what has not happened yet. */
export interface ScenarioLine extends Pick<ScenarioResult, 'name' | 'title' | 'expected' | 'downtime' | 'predicted'> {
  /** Whether this run includes it. */
  readonly chosen: boolean;
  readonly startedAt: number | null;
  /** Its end, or that of the run if that came first. The verdict counts from then on. */
  readonly finishedAt: number | null;
  readonly verdict: ScenarioResult['verdict'] | null;
}

/**
 * All ten scenarios in the table's order, and then those further ones that were named. One that ran more than once
 * lasts from its first start to its last end.
 */
export function scenarioLines(
  facts: readonly ValidationFact[],
  result: RunResult | undefined,
): readonly ScenarioLine[] {
  const chosen = new Set(runStarted(facts)?.scenarios ?? []);
  const [runFinished] = ofType(facts, 'run-finished');
  const named = furtherScenarios.filter(({ name }) => chosen.has(name));
  return [...scenarios, ...named].map(({ name, title, expected }) => {
    const of = (fact: { readonly scenario: string }): boolean => fact.scenario === name;
    const started = ofType(facts, 'scenario-started').find(of);
    const finishedAt = instant(ofType(facts, 'scenario-finished').findLast(of) ?? (started && runFinished));
    const judged = result?.scenarios.find((row) => row.name === name);
    return {
      name,
      title,
      expected,
      finishedAt,
      chosen: chosen.has(name),
      startedAt: instant(started),
      ...(finishedAt === null || judged === undefined ? notJudged : judgedPart(judged)),
    };
  });
}

const instant = (fact: { readonly at: string } | undefined): number | null =>
  fact === undefined ? null : Date.parse(fact.at);

const notJudged = { verdict: null, downtime: null, predicted: null } as const;

const judgedPart = ({ verdict, downtime, predicted }: ScenarioResult) => ({ verdict, downtime, predicted });
