import type { Finding } from '../finding.ts';
import { clocksText, predictedText } from '../predict/predicted-text.ts';
import type { ValidationFact } from '../record/events.ts';
import type { Prediction, Range } from '../record/prediction.ts';
import { ofType } from '../record/records.ts';
import type { ScenarioResult } from './run-result.ts';

/** Adds to a scenario's result what was predicted before it started, and a finding that compares that with what was measured. */
export function withPrediction(row: ScenarioResult, facts: readonly ValidationFact[]): ScenarioResult {
  const prediction = ofType(facts, 'scenario-predicted').findLast(({ scenario }) => scenario === row.name)?.prediction;
  if (prediction === undefined || row.window === null) return row;
  const findings = [...row.findings, compared(row, prediction)];
  return { ...row, predicted: predictedText(prediction), findings };
}

/** One interval of the monitor for downtime; for the others the resolution of the API's timestamps, 1 s, at both ends. */
const toleranceSeconds = { traffic: 1, api: 2 };

function compared(row: ScenarioResult, prediction: Prediction): Finding {
  const clocks = [
    {
      name: 'traffic',
      predicted: prediction.downtimeSeconds,
      measured: row.downtime?.seconds ?? null,
      tolerance: toleranceSeconds.traffic,
    },
    {
      name: 'node ready',
      predicted: prediction.nodeReadySeconds,
      measured: row.nodeReadySeconds,
      tolerance: toleranceSeconds.api,
    },
    {
      name: 'pod ready',
      predicted: prediction.podReadySeconds,
      measured: row.podReadySeconds,
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
    observed: verdicts.join('; '),
    advice: '',
  };
}

function comparison({ least, most }: Range, measured: number, tolerance: number): string {
  if (measured > most + tolerance) return `${(measured - most).toFixed(1)} s more than predicted`;
  return measured < least - tolerance ? `${(least - measured).toFixed(1)} s less than predicted` : 'as predicted';
}
