import type { Finding } from '../finding.ts';
import { clocksText, predictedText } from '../predict/predicted-text.ts';
import type { ValidationFact } from '../record/events.ts';
import type { Clock, Prediction, Range, StepName } from '../record/prediction.ts';
import { ofType } from '../record/records.ts';
import type { ScenarioResult } from './run-result.ts';

/**
 * Adds to a scenario's result what was predicted before it started, and a finding that compares that with what was
 * measured.
 */
export function withPrediction(row: ScenarioResult, facts: readonly ValidationFact[]): ScenarioResult {
  const prediction = ofType(facts, 'scenario-predicted').findLast(({ scenario }) => scenario === row.name)?.prediction;
  if (prediction === undefined || row.window === null) return row;
  const findings = [...row.findings, compared(row, prediction)];
  return { ...row, predicted: predictedText(prediction), findings };
}

/**
 * One interval of the monitor for downtime; for the others the resolution of the API's timestamps, 1 s, at both ends.
 */
const toleranceSeconds = { traffic: 1, api: 2 };

function compared(row: ScenarioResult, prediction: Prediction): Finding {
  const clocks = [
    {
      name: 'traffic',
      predicted: prediction.downtimeSeconds,
      measured: clockOf.traffic(row),
      tolerance: toleranceSeconds.traffic,
    },
    {
      name: 'node ready',
      predicted: prediction.nodeReadySeconds,
      measured: clockOf['node-ready'](row),
      tolerance: toleranceSeconds.api,
    },
    {
      name: 'pod ready',
      predicted: prediction.podReadySeconds,
      measured: clockOf['pod-ready'](row),
      tolerance: toleranceSeconds.api,
    },
  ].flatMap(({ measured, ...rest }) => (measured === null ? [] : [{ ...rest, measured }]));
  const verdicts = clocks.map(({ name, predicted, measured, tolerance }) => {
    const verdict = predicted === null ? 'not predicted' : comparison(predicted, measured, tolerance);
    return `${name} ${measured.toFixed(1)} s, ${verdict}`;
  });
  return {
    id: 'prediction',
    severity: 'info',
    subject: row.title,
    expected: `as predicted: ${clocksText(prediction)}`,
    observed: [...verdicts, ...comparedSteps(row, prediction), ...notCompared(row, prediction)].join('; '),
    advice: '',
  };
}

/** The steps that the watch showed; the clocks are compared already. */
function comparedSteps({ steps = {} }: ScenarioResult, prediction: Prediction): readonly string[] {
  return prediction.steps.flatMap(({ what, afterSeconds, measuredAs }) => {
    const measured = measuredAs === undefined || measuredAs in clockOf ? undefined : steps[measuredAs as StepName];
    if (measured === undefined) return [];
    return [`${what} ${measured.toFixed(1)} s, ${comparison(afterSeconds, measured, toleranceSeconds.api)}`];
  });
}

/** A step that nothing observed cannot be compared with its prediction. */
function notCompared(row: ScenarioResult, prediction: Prediction): readonly string[] {
  const seen: ReadonlySet<string> = new Set([
    ...Object.keys(row.steps ?? {}),
    ...Object.entries(clockOf).flatMap(([clock, measured]) => (measured(row) === null ? [] : [clock])),
  ]);
  const left = prediction.steps.filter(({ measuredAs = '' }) => !seen.has(measuredAs));
  return left.length === 0 ? [] : [`not compared: ${left.map(({ what }) => what).join(', ')}`];
}

const clockOf: Readonly<Record<Clock, (row: ScenarioResult) => number | null>> = {
  traffic: ({ downtime }) => downtime?.span.seconds ?? null,
  'node-ready': ({ nodeReadySeconds }) => nodeReadySeconds,
  'pod-ready': ({ podReadySeconds }) => podReadySeconds,
};

function comparison({ least, most }: Range, measured: number, tolerance: number): string {
  if (measured > most + tolerance) return `${(measured - most).toFixed(1)} s more than predicted`;
  return measured < least - tolerance ? `${(least - measured).toFixed(1)} s less than predicted` : 'as predicted';
}
