import type { ScenarioResult } from '../../src/validation/judge/run-result.ts';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import type { WindowDowntime } from '../../src/validation/window-downtime.ts';

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
  return { ...good, ...over };
}

/** A scenario that is as expected. */
export function scenarioResult(name: string, over: Partial<ScenarioResult> = {}): ScenarioResult {
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

/** All ten scenarios as expected, except the given ones. */
export function tenScenarios(over: Readonly<Record<string, ScenarioResult>> = {}): readonly ScenarioResult[] {
  return scenarios.map(({ name }) => over[name] ?? scenarioResult(name));
}
