import type { RunResult } from '../validation/judge/run-result.ts';

/** `report.json`: the result as it is, one member a line, so that two runs can be compared with `diff`. */
export function reportJson(result: RunResult): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}
