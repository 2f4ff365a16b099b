import { preStopOf } from '../../cluster/pre-stop.ts';
import type { Advice, Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import type { Snapshot } from '../observe/snapshot.ts';
import { typicalDurations } from '../predict/typical-durations.ts';
import { hasIngress, type Settings } from '../settings.ts';
import { forgetsIn } from './expectations.ts';

/** How long ingress-nginx may still send requests to a terminating pod. */
const endpointLagSeconds = typicalDurations.endpointLag.most;

/** Why downtime follows when pods lack it (4.2), and what to do if they lack it or if they have it. */
const causes = {
  'readiness-probe': {
    rule: 'readiness-probe',
    what: 'traffic came before the pods could serve',
    lacking: 'give the container a readiness probe',
    despite: 'let its readiness probe ask for what a request needs',
  },
  'pre-stop': {
    rule: 'graceful-termination',
    what: 'requests were cut while pods ended',
    lacking:
      'give the container a preStop sleep that outlasts the endpoint lag of the ingress controller, up to 5 s for ingress-nginx, and a grace that outlasts both',
    despite: 'its preStop sleep is shorter than the endpoint lag of this ingress controller: see how long that is',
  },
} as const;

/** The same where a load balancer replaces the ingress controller (docs/facts/aws.md, "Network Load Balancer"). */
const behindLoadBalancer = {
  lacking: (seconds: string) =>
    `give the container a preStop sleep that outlasts what the load balancer needs to forget a pod: ${seconds} where pods are its targets (target type ip), 2 s of kube-proxy where nodes are; and a grace that outlasts both`,
  despite: (seconds: string) =>
    `its preStop sleep is shorter than what the load balancer needs to forget a pod: ${seconds} where pods are its targets (target type ip)`,
} as const;

type Lack = keyof typeof causes;

/** Whether the pods have a readiness probe and a preStop sleep. Noted only: the traffic decides. */
export function podNotes(now: Pick<Snapshot, 'workload'>): readonly Expectation[] {
  return [readinessNote(now), preStopNote(now)];
}

function readinessNote({ workload }: Pick<Snapshot, 'workload'>): Expectation {
  const without = (workload?.spec.template.spec.containers ?? []).filter((one) => one.readinessProbe === undefined);
  return {
    id: 'readiness-probe' satisfies Lack,
    expected: 'a readiness probe on each container',
    outcome: 'noted',
    observed: without.length === 0 ? 'there is one' : `none on ${without.map(({ name }) => name).join(', ')}`,
    advice: without.length === 0 ? '' : 'give the container a readiness probe',
  };
}

/**
 * What to do about downtime while the replicas were changed or the change was undone: give the pods what they lack. If
 * they lack nothing, the cause follows from which of the two an outage began in.
 */
export function scalingAdvice(
  { lacks, outagesBegun: { beforeUndo, afterUndo } }: Pick<Measurement, 'lacks' | 'outagesBegun'>,
  { done, undone }: { readonly done: Lack; readonly undone: Lack },
  settings: Settings,
): Advice {
  const adviceOn = (lacks: readonly Lack[], which: 'lacking' | 'despite'): Advice => ({
    advice: lacks.map((lack) => `${causes[lack].what}: ${remedyOf(lack, which, settings)}`).join('; '),
    rules: lacks.map((lack) => causes[lack].rule),
  });
  const noted = [done, undone].filter((lack) => lacks.includes(lack));
  if (noted.length > 0) return adviceOn(noted, 'lacking');
  const likely = [...(beforeUndo > 0 || afterUndo === 0 ? [done] : []), ...(afterUndo > 0 ? [undone] : [])];
  return adviceOn(likely, 'despite');
}

const remedyOf = (lack: Lack, which: 'lacking' | 'despite', settings: Settings): string =>
  lack === 'pre-stop' && !hasIngress(settings) ? behindLoadBalancer[which](forgetsIn(settings)) : causes[lack][which];

/**
 * Whether the preStop sleep of the application's pods is as long as the endpoint lag. Noted only: the traffic decides.
 */
export function preStopNote({ workload }: Pick<Snapshot, 'workload'>): Expectation {
  const sleeps = (workload?.spec.template.spec.containers ?? []).map(preStopOf);
  const shortest = sleeps.length === 0 ? 0 : Math.min(...sleeps);
  return {
    id: 'pre-stop',
    expected: `a preStop sleep of at least ${endpointLagSeconds} s, the endpoint lag of ingress-nginx`,
    outcome: 'noted',
    observed: shortest === 0 ? 'there is none' : `${shortest} s`,
    advice: shortest >= endpointLagSeconds ? '' : `lifecycle.preStop.sleep.seconds: ${2 * endpointLagSeconds}`,
  };
}
