import type { TestContext } from 'node:test';
import type { ScenarioResult } from '../../src/validation/judge/run-result.ts';
import type { Scenario } from '../../src/validation/scenarios/scenario.ts';
import { type Rehearsed, type RehearseOptions, rehearse } from './rehearse.ts';

export interface ScenarioRun extends Rehearsed {
  readonly row: ScenarioResult;
  /** What one expectation of it observed. */
  readonly observed: (id: string) => string;
}

/** One scenario alone on an embedded cluster. */
export async function scenarioRun(
  t: Pick<TestContext, 'after'>,
  scenario: Scenario,
  options: Omit<RehearseOptions, 'scenarios'> & { readonly defect?: string } = {},
): Promise<ScenarioRun> {
  const { defect, ...rest } = options;
  const world = defect === undefined ? {} : { world: { defects: [defect] } };
  const run = await rehearse(t, { ...rest, ...world, scenarios: [scenario] });
  const row = run.result.scenarios.find(({ name }) => name === scenario.name);
  if (row === undefined) throw new Error(`no row ${scenario.name}`);
  return { ...run, row, observed: (id) => row.findings.find((finding) => finding.id === id)?.observed ?? '' };
}
