import type { RunResult } from '../validation/judge/run-result.ts';
import type { ValidationFact } from '../validation/record/events.ts';
import type { Span } from './strip.ts';
import type { Traffic } from './traffic.ts';

/** The input of `report.html`: the result, and the facts and the traffic for its pictures. */
export interface ReportedRun {
  readonly result: RunResult;
  readonly facts: readonly ValidationFact[];
  readonly traffic: Traffic;
}

/** The name of the span that is the whole run; the others have the names of their scenarios. */
export const wholeRun = 'run';

/** The spans that have a picture: the whole run, and the window of each scenario that had one. */
export function pictureSpans(result: RunResult, facts: readonly ValidationFact[]): ReadonlyMap<string, Span> {
  const spans = [
    [wholeRun, { from: Date.parse(result.run.startedAt), to: Date.parse(facts.at(-1)?.at ?? result.run.startedAt) }],
    ...result.scenarios.flatMap(({ name, window }) =>
      window === null ? [] : [[name, { from: Date.parse(window.from), to: Date.parse(window.to) }] as const],
    ),
  ] as const;
  return new Map(spans.filter(([, { from, to }]) => to > from));
}
