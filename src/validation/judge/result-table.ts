import { scenarios } from '../scenarios/index.ts';
import type { ResultRow, ScenarioResult } from './run-result.ts';

/** The six rows, in the specification's order and words, and the scenario that each is measured in. */
const rows = scenarios.flatMap(({ name, resultRow }) =>
  resultRow === undefined ? [] : [{ scenario: resultRow, from: name }],
);

/** Pure. A row whose scenario was not tested holds nulls; so does one whose downtime nobody sampled. */
export function resultTable(results: readonly ScenarioResult[]): readonly ResultRow[] {
  return rows.map(({ scenario, from }) => {
    const result = results.find(({ name }) => name === from);
    return {
      scenario,
      downtimeSeconds: result?.downtime?.seconds ?? null,
      nodeReplacementSeconds: result?.nodeReplacementSeconds ?? null,
      podReadySeconds: result?.podReadySeconds ?? null,
    };
  });
}

/** Pure. Whether the scenario that the row is measured in was made, whatever came of it. */
export function wasMade(row: ResultRow, results: readonly ScenarioResult[]): boolean {
  const from = rows.find(({ scenario }) => scenario === row.scenario)?.from;
  return results.some(({ name, verdict }) => name === from && verdict !== 'not-tested');
}
