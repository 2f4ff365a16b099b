import type { RunResult } from '../validation/judge/run-result.ts';

/** `report.json`: the result with one member a line, so that `diff` can compare two runs. */
export function reportJson(result: RunResult): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}
