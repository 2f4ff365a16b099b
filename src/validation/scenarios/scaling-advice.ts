import { preStopOf } from '../../cluster/pods.ts';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import type { Snapshot } from '../observe/snapshot.ts';
import { usual } from '../predict/typical-durations.ts';

/** How long ingress-nginx may go on sending requests to a pod that is terminating. */
const endpointLagSeconds = usual.endpointLag.most;

/** What comes of it when replicas are changed (4.2, facts 4.1 and 4.2), what to do when the pods lack it, and what when they do not. */
const causes = {
  'readiness-probe': {
    what: 'traffic came before the pods could serve',
    lacking: 'give the container a readiness probe',
    despite: 'let its readiness probe ask for what a request needs',
  },
  'pre-stop': {
    what: 'requests were cut while pods ended',
    lacking:
      'give the container a preStop sleep that outlasts the endpoint lag of the ingress controller, up to 5 s for ingress-nginx, and a grace that outlasts both',
    despite: 'its preStop sleep is shorter than the endpoint lag of this ingress controller: see how long that is',
  },
} as const;
type Lack = keyof typeof causes;

/** Pure. What the pods have of both; it decides nothing, because the traffic does. */
export function podNotes(now: Pick<Snapshot, 'deployment'>): readonly Expectation[] {
  return [readinessNote(now), preStopNote(now)];
}

function readinessNote({ deployment }: Pick<Snapshot, 'deployment'>): Expectation {
  const without = (deployment?.spec.template.spec.containers ?? []).filter((one) => one.readinessProbe === undefined);
  return {
    id: 'readiness-probe' satisfies Lack,
    expected: 'a readiness probe on each container',
    outcome: 'noted',
    observed: without.length === 0 ? 'there is one' : `none on ${without.map(({ name }) => name).join(', ')}`,
    advice: without.length === 0 ? '' : 'give the container a readiness probe',
  };
}

/**
 * Pure. What to do about downtime while replicas were changed and changed back: what the pods were noted to lack. When they lack
 * nothing the time tells: which of the two changes an outage began in.
 */
export function scalingAdvice(
  { lacks, outagesBegun: { beforeUndo, afterUndo } }: Pick<Measurement, 'lacks' | 'outagesBegun'>,
  { done, undone }: { readonly done: Lack; readonly undone: Lack },
): string {
  const noted = [done, undone].filter((lack) => lacks.includes(lack));
  if (noted.length > 0) return noted.map((lack) => `${causes[lack].what}: ${causes[lack].lacking}`).join('; ');
  const told = [...(beforeUndo > 0 || afterUndo === 0 ? [done] : []), ...(afterUndo > 0 ? [undone] : [])];
  return told.map((lack) => `${causes[lack].what}: ${causes[lack].despite}`).join('; ');
}

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
