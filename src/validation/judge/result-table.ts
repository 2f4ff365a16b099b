import type { ResultRow, ScenarioResult } from './run-result.ts';

/** The six rows, in the specification's order and words, and the scenario that each is measured in. */
const rows = [
  { scenario: 'Scale up', from: 'scale-up' },
  { scenario: 'Scale down', from: 'scale-down' },
  { scenario: 'Pod kill', from: 'single-replica' },
  { scenario: 'Node drain', from: 'node-drain' },
  { scenario: 'Instance kill', from: 'instance-kill' },
  { scenario: 'Drift replace', from: 'disruption-budget' },
] as const;

/** Pure. A row whose scenario was not tested holds nulls; so does one whose downtime nobody sampled. */
export function resultTable(scenarios: readonly ScenarioResult[]): readonly ResultRow[] {
  return rows.map(({ scenario, from }) => {
    const result = scenarios.find(({ name }) => name === from);
    return {
      scenario,
      downtimeSeconds: result?.downtime?.seconds ?? null,
      nodeReplacementSeconds: result?.nodeReplacementSeconds ?? null,
      podReadySeconds: result?.podReadySeconds ?? null,
    };
  });
}

/** Pure. Whether the scenario that the row is measured in was made, whatever came of it. */
export function wasMade(row: ResultRow, scenarios: readonly ScenarioResult[]): boolean {
  const from = rows.find(({ scenario }) => scenario === row.scenario)?.from;
  return scenarios.some(({ name, verdict }) => name === from && verdict !== 'not-tested');
}
