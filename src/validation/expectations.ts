import type { WindowDowntime } from './downtime.ts';
import type { Expectation, Outcome } from './finding.ts';
import type { Measurement } from './measure.ts';

/**
 * "No downtime" (contract section 3): met with no bad sample. A second that nobody saw is neither up nor down, so it
 * leaves the question open.
 */
export function noDowntime({ downtime }: Measurement, advice = ''): Expectation {
  const { bad, unknown, samples, seconds } = downtime;
  const outcome = downtimeOutcome(downtime);
  const seen = `${seconds} s in ${samples} samples, ${bad} bad, ${unknown} unknown`;
  return { id: 'no-downtime', expected: 'no downtime', outcome, observed: seen, ...(bad > 0 ? { advice } : {}) };
}

/** Pods there, as the watch of the cluster told it; without that evidence the question is open. */
export function podsReady({ application }: Measurement, replicas: number): Expectation {
  const expected = `${replicas} pods ready`;
  if (application === undefined)
    return { id: 'pods-ready', expected, outcome: 'inconclusive', observed: 'the pods were not observed' };
  const outcome = application.readyAtEnd === replicas ? 'met' : 'not-met';
  return { id: 'pods-ready', expected, outcome, observed: `${application.readyAtEnd} pods ready` };
}

function downtimeOutcome({ bad, unknown, samples }: WindowDowntime): Outcome {
  if (bad > 0) return 'not-met';
  return unknown > 0 || samples === 0 ? 'inconclusive' : 'met';
}
