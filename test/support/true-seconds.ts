import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { RunResult } from '../../src/validation/judge/run-result.ts';
import { scenarioRecords } from '../../src/validation/record/records.ts';
import type { Scenario } from '../../src/validation/scenarios/scenario.ts';
import { rehearse } from './rehearse.ts';
import { type TrueTimes, trueTimes } from './true-times.ts';

/** How wide the bounds of each pod-ready time were, after the truth was found between them. Of rehearsals with that seed. */
export async function podReadyHoldsTruth(
  t: Pick<TestContext, 'after'>,
  seed: number,
  scenarios: readonly Scenario[],
): Promise<readonly number[]> {
  let truth: TrueTimes | undefined;
  const { result, facts } = await rehearse(t, {
    seed,
    scenarios,
    onFact: (fact, rehearsal) => {
      if (fact.type === 'run-started') truth = trueTimes(rehearsal);
    },
  });
  assert.ok(truth);
  return widths(result, facts, scenarios, truth);
}

/** A request is on its way for a millisecond or two. */
const toleranceSeconds = 0.005;

function widths(
  result: RunResult,
  facts: Parameters<typeof scenarioRecords>[0],
  scenarios: readonly Scenario[],
  { createdAt, readyAt }: TrueTimes,
): readonly number[] {
  const records = scenarioRecords(facts);
  return scenarios.flatMap(({ name, replaces }) => {
    const record = records.find((one) => one.name === name);
    const bounded = result.scenarios.find((one) => one.name === name)?.podReady;
    if (bounded === null || bounded === undefined || record === undefined) return [];
    const all = record.rounds.flatMap(({ openedAt, actedAt, restAt }) =>
      [...readyAt].flatMap(([uid, ready]) => {
        const created = createdAt.get(uid) ?? 0;
        if (created < openedAt || ready > restAt) return [];
        return [(ready - (replaces ? actedAt : created)) / 1000];
      }),
    );
    const longest = Math.max(...all);
    const words = `${name}: true ${longest} s, ${JSON.stringify(bounded)}`;
    assert.ok(bounded.lowerSeconds <= longest + toleranceSeconds, words);
    assert.ok(longest <= bounded.upperSeconds + toleranceSeconds, words);
    return [bounded.upperSeconds - bounded.lowerSeconds];
  });
}
