import { scenarios } from '../scenarios/index.ts';
import { shownPart } from '../window-downtime.ts';
import type { ResultRow, ScenarioResult } from './run-result.ts';

/** The specification's rows, in its order and words, and the scenario that measures each. */
const rows = scenarios.flatMap(({ name, resultRow }) =>
  resultRow === undefined ? [] : [{ scenario: resultRow, from: name }],
);

/** The specification's result table. A value is null if the scenario was not tested or the value not measured. */
export function resultTable(results: readonly ScenarioResult[]): readonly ResultRow[] {
  return rows.map(({ scenario, from }) => {
    const result = results.find(({ name }) => name === from);
    return {
      scenario,
      downtimeSeconds: result?.downtime?.seconds ?? null,
      nodeReplacementSeconds: result?.nodeReplacementSeconds ?? null,
      podReadySeconds: result?.podReadySeconds ?? null,
      downtime: result?.downtime ? shownPart(result.downtime) : null,
      nodeReplacement: result?.nodeReplacement ?? null,
      podReady: result?.podReady ?? null,
    };
  });
}

/** Whether the scenario that measures the row was tested, whatever its verdict. */
export function wasTested(row: ResultRow, results: readonly ScenarioResult[]): boolean {
  const from = rows.find(({ scenario }) => scenario === row.scenario)?.from;
  return results.some(({ name, verdict }) => name === from && verdict !== 'not-tested');
}
