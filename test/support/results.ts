import type { Bounded } from '../../src/figures/figures.js';
import type { Episode, Outage } from '../../src/validation/downtime/downtime.ts';
import type { ScenarioResult } from '../../src/validation/judge/run-result.ts';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import { type WindowDowntime, withSpan } from '../../src/validation/window-downtime.ts';

/** Five minutes of good samples. */
export function downtime(over: Partial<WindowDowntime> = {}): WindowDowntime {
  const good = {
    seconds: 0,
    lowerSeconds: 0,
    upperSeconds: 0,
    slowSeconds: 0,
    samples: 300,
    bad: 0,
    unknown: 0,
    unknownSeconds: 0,
  };
  return { ...withSpan({ ...good, ...over }), ...over };
}

/** A time that is known to a tenth of a second. */
export const bounded = (seconds: number): Bounded => ({
  seconds,
  lowerSeconds: Math.max(0, Math.round(1000 * (seconds - 0.05)) / 1000),
  upperSeconds: seconds,
});
const orNull = (seconds: number | null): Bounded | null => (seconds === null ? null : bounded(seconds));

/** Each outage by itself, as one in which every request failed. */
export const episodesOf = <T extends Outage>(
  outages: readonly T[],
): readonly (Episode & { readonly span: Bounded } & T)[] =>
  outages.map((outage) => ({
    ...outage,
    spanSeconds: outage.seconds,
    span: { seconds: outage.seconds, lowerSeconds: outage.lowerSeconds, upperSeconds: outage.upperSeconds },
    badSeconds: outage.seconds,
    slowSeconds: outage.kinds.includes('slow') ? outage.seconds : 0,
    outages: 1,
  }));

/** A scenario that is as expected. The times have bounds of a tenth of a second where the test gives none. */
export function scenarioResult(name: string, over: Partial<ScenarioResult> = {}): ScenarioResult {
  const result = withoutBounds(name, over);
  const { nodeReplacementSeconds, nodeReadySeconds, podReadySeconds } = result;
  return {
    ...result,
    nodeReplacement: over.nodeReplacement ?? orNull(nodeReplacementSeconds),
    nodeReady: over.nodeReady ?? orNull(nodeReadySeconds),
    podReady: over.podReady ?? orNull(podReadySeconds),
  };
}

function withoutBounds(
  name: string,
  over: Partial<ScenarioResult>,
): Omit<ScenarioResult, 'nodeReplacement' | 'nodeReady' | 'podReady'> {
  return {
    name,
    title: name,
    expected: '',
    verdict: 'pass',
    window: { from: '2026-11-20T10:00:00.000Z', to: '2026-11-20T10:05:00.000Z' },
    downtime: downtime(),
    nodeReplacementSeconds: null,
    nodeReadySeconds: null,
    podReadySeconds: 4,
    nodesReplaced: name === 'disruption-budget' ? 1 : 0,
    maxConcurrentDisruptions: name === 'disruption-budget' ? 1 : 0,
    predicted: null,
    findings: [],
    ...over,
  };
}

export const notTestedResult = (name: string): ScenarioResult =>
  scenarioResult(name, {
    verdict: 'not-tested',
    window: null,
    downtime: null,
    podReadySeconds: null,
    nodesReplaced: null,
    maxConcurrentDisruptions: null,
  });

/** A document as it was read. */
export type Parsed = ReturnType<typeof JSON.parse>;

/** The row of a scenario in a report. */
export function rowIn<Row extends { readonly name: string }>(
  {
    scenarios: rows,
    furtherScenarios = [],
  }: { readonly scenarios: readonly Row[]; readonly furtherScenarios?: readonly Row[] },
  name: string,
): Row {
  const found = [...rows, ...furtherScenarios].find((row) => row.name === name);
  if (found === undefined) throw new Error(`no row ${name}`);
  return found;
}

/** All ten scenarios as expected, except the given ones. */
export function tenScenarios(over: Readonly<Record<string, ScenarioResult>> = {}): readonly ScenarioResult[] {
  return scenarios.map(({ name }) => over[name] ?? scenarioResult(name));
}
