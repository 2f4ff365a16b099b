import { preStopOf } from '../../cluster/pods.ts';
import type { Expectation } from '../finding.ts';
import type { Snapshot } from '../observe/snapshot.ts';

/** How long ingress-nginx may go on sending to a pod that is leaving: its sync limiter and its workers' poll (facts 3.8). */
const endpointLagSeconds = 5;

/** Pure. Says whether the application's pods outlast the news of their end; it decides nothing, because the traffic does. */
export function preStopNote({ deployment }: Pick<Snapshot, 'deployment'>): Expectation {
  const sleeps = (deployment?.spec.template.spec.containers ?? []).map(preStopOf);
  const shortest = sleeps.length === 0 ? 0 : Math.min(...sleeps);
  return {
    id: 'pre-stop',
    expected: `a preStop sleep of at least ${endpointLagSeconds} s, the endpoint lag of ingress-nginx`,
    outcome: 'noted',
    observed: shortest === 0 ? 'there is none' : `${shortest} s`,
    advice: shortest >= endpointLagSeconds ? '' : `lifecycle.preStop.sleep.seconds: ${2 * endpointLagSeconds}`,
  };
}
