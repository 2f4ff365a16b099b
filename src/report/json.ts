import type { RunResult, ScenarioResult } from '../validation/judge/run-result.ts';
import { scenarios as whole } from '../validation/scenarios/index.ts';

/**
 * `report.json`, and what `--json` prints: the ten scenarios of the specification, and further ones that were named
 * beside them.
 */
export interface RunDocument extends RunResult {
  readonly furtherScenarios?: readonly ScenarioResult[];
}

export function runDocument(result: RunResult): RunDocument {
  const isOfTable = ({ name }: ScenarioResult) => whole.some((scenario) => scenario.name === name);
  const further = result.scenarios.filter((row) => !isOfTable(row));
  if (further.length === 0) return result;
  return { ...result, scenarios: result.scenarios.filter(isOfTable), furtherScenarios: further };
}

/** The document with one member a line, so that `diff` can compare two runs. */
export function reportJson(result: RunResult): string {
  return `${JSON.stringify(runDocument(result), null, 2)}\n`;
}
