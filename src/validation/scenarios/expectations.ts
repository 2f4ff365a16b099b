import { fulfils } from '../../cluster/requirements.ts';
import { downtimeText, type WindowDowntime } from '../downtime/downtime.ts';
import type { Expectation, Outcome } from '../finding.ts';
import { nodeRequirements } from '../manifests/manifests.ts';
import type { Measurement } from '../measure/measure.ts';

/**
 * "No downtime" (contract section 3): met with no bad sample. A second that nobody saw is neither up nor down, so it
 * leaves the question open.
 */
export function noDowntime({ downtime }: Measurement, advice = ''): Expectation {
  const { bad, unknown, samples } = downtime;
  const outcome = downtimeOutcome(downtime);
  const seen = `${downtimeText(downtime)} in ${samples} samples, ${bad} bad, ${unknown} unknown`;
  return { id: 'no-downtime', expected: 'no downtime', outcome, observed: seen, ...(bad > 0 ? { advice } : {}) };
}

/** Pods there, as the watch of the cluster told it; without that evidence the question is open. */
export function podsReady({ application }: Measurement, replicas: number): Expectation {
  const expected = `${replicas} pods ready`;
  if (application === undefined)
    return { id: 'pods-ready', expected, outcome: 'inconclusive', observed: 'the pods were not observed' };
  const outcome = application.readyAtRest === replicas ? 'met' : 'not-met';
  return { id: 'pods-ready', expected, outcome, observed: `${application.readyAtRest} pods ready` };
}

/** What is observed of them where the watch was silent. */
export const nodesUnseen = 'the nodes were not observed';

/** "A new ARM node is provisioned": of a round in which capacity was lacking. */
export function newNodes({ pool }: Measurement, round: number): Expectation {
  const id = 'new-node';
  const expected = 'a new ARM node is provisioned';
  if (pool === undefined) return { id, expected, outcome: 'inconclusive', observed: nodesUnseen };
  const came = pool.newNodes[round] ?? [];
  if (came.length === 0)
    return { id, expected, outcome: 'inconclusive', observed: 'none came: the pods found room elsewhere' };
  const wrong = came.filter(({ labels }) => !nodeRequirements.every((requirement) => fulfils(labels, requirement)));
  const names = (wrong.length > 0 ? wrong : came).map(({ name }) => name).join(', ');
  if (wrong.length === 0) return { id, expected, outcome: 'met', observed: names };
  const advice = 'look at the requirements of the NodePool, and at what changes it or the nodes';
  return { id, expected, outcome: 'not-met', observed: `not as the pool requires: ${names}`, advice };
}

function downtimeOutcome({ bad, unknown, samples }: WindowDowntime): Outcome {
  if (bad > 0) return 'not-met';
  return unknown > 0 || samples === 0 ? 'inconclusive' : 'met';
}
