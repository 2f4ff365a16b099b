import { applicationName } from '../validation/applications.ts';
import type { RunResult } from '../validation/judge/run-result.ts';
import type { ValidationFact } from '../validation/record/events.ts';
import type { Span, Strip } from './strip.ts';
import type { Traffic } from './traffic.ts';

/** The input of `report.html`: the result, and the facts and the traffic for its pictures. */
export interface ReportedRun {
  readonly result: RunResult;
  readonly facts: readonly ValidationFact[];
  /** That of the only application, or of the first. */
  readonly traffic: Traffic;
  /** Of the other applications of the run, by their names. */
  readonly further?: ReadonlyMap<string, Traffic>;
}

/** A row of a picture: the traffic of one application in that span, with its outages there. */
export interface TrafficRow {
  /** Undefined for the only one. */
  readonly application: string | undefined;
  readonly strip: Strip;
  readonly outages: RunResult['episodes'];
}

/** More rows are taller than a screen. */
const mostRows = 8;

/** A row for each application, those with an outage there before those without where there are too many. */
export function trafficRows(
  { result, traffic, further = new Map() }: ReportedRun,
  span: string,
): readonly TrafficRow[] {
  const { applications = [], episodes } = result;
  const [first] = applications;
  const shown = first && applicationName(first, applications);
  const all = [[shown, traffic] as const, ...further];
  const rows = all.flatMap(([name, { strips }]) => {
    const strip = strips.get(span);
    const outages = episodes.filter(
      ({ scenario, application = shown }) => application === name && (span === wholeRun || scenario === span),
    );
    return strip === undefined ? [] : [{ application: further.size === 0 ? undefined : name, strip, outages }];
  });
  const chosen = new Set(rows.toSorted((a, b) => b.outages.length - a.outages.length).slice(0, mostRows));
  return rows.filter((row) => chosen.has(row));
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
