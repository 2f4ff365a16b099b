import { fulfils } from '../../cluster/requirements.ts';
import { edgesText, measuredText } from '../downtime/downtime.ts';
import type { Advice, Expectation, Outcome } from '../finding.ts';
import { requirementsOf } from '../manifests/manifests.ts';
import { mostSecondsAfterNode } from '../measure/beside-new-nodes.ts';
import type { Measurement } from '../measure/measure.ts';
import type { NewNode } from '../measure/pool.ts';
import { isRequirementLabel } from '../record/digest.ts';
import { hasIngress, hasReplicas, type Settings } from '../settings.ts';
import type { WindowDowntime } from '../window-downtime.ts';

/**
 * "No downtime": met without a bad sample. A second without a sample is neither up nor down, so it makes the outcome
 * inconclusive (docs/facts/measuring.md, "Unknown samples").
 */
export function noDowntime({ downtime, besideNewNodes = [] }: Measurement, advised: string | Advice = ''): Expectation {
  const { bad, unknown, samples, edges } = downtime;
  const outcome = downtimeOutcome(downtime);
  const between = bad === 0 && edges !== undefined && edges.bad > 0 ? `; ${edgesText(edges)}` : '';
  const observed = `${measuredText(downtime)}; ${samples} samples, ${bad} bad, ${unknown} unknown${between}`;
  const advice = besideNewNodes.length > 0 ? sentTooEarly(besideNewNodes) : adviceOf(advised);
  return {
    id: 'no-downtime',
    expected: 'no downtime',
    outcome,
    observed,
    ...(bad > 0 || between !== '' ? advice : {}),
  };
}

const adviceOf = (advised: string | Advice) => (typeof advised === 'string' ? { advice: advised } : advised);

/** This replaces the advice of the scenario, because the requests reached no pod of the application. */
const sentTooEarly = (nodes: readonly string[]): Advice => ({
  advice: `connections broke within ${mostSecondsAfterNode} s of the coming of ${nodes.join(', ')}: the load balancer sent to a new node before it could take them. Let it send to a target only after its health check has passed, as a Network Load Balancer does; or choose its targets (aws-load-balancer-target-node-labels)`,
  rules: ['load-balancer-health'],
});

/**
 * The advice of a scenario in which nodes go: without an Ingress the load balancer's targets are the application's own
 * to choose. It sends to a node or a pod for minutes after it was taken off (docs/facts/aws.md, "Network Load
 * Balancer").
 */
export const whereNodesGo = (settings: Settings, advice: string): string =>
  hasIngress(settings)
    ? advice
    : `the load balancer still sent to a target that was gone: of nodes choose those that stay (aws-load-balancer-target-node-labels), of pods let the preStop sleep outlast its ${forgetsIn(settings)}`;

/** How long a load balancer goes on to send to a pod that was its target (docs/facts/aws.md). */
export const forgetsIn = ({ rehearse }: Pick<Settings, 'rehearse'>): string =>
  rehearse?.frontDoor === 'alb' ? '25 s, better 60 s' : '3 min';

/** An application of its owner that has a budget is not told to get one. */
export const unlessGuarded = ({ manifests, disruptionBudget }: Settings, advice: string): string =>
  manifests === 'none' && disruptionBudget !== null
    ? 'let the preStop sleep outlast what still sends to a pod that ends, and spread the replicas over nodes'
    : advice;

/**
 * The ready pods at rest by the watch of the cluster, of a DaemonSet one on each of its nodes; inconclusive if there
 * was none.
 */
export function podsReady(
  { application }: Measurement,
  replicas: number,
  settings: Pick<Settings, 'applicationKind'> = { applicationKind: 'Deployment' },
): Expectation {
  const wanted = hasReplicas(settings) ? replicas : (application?.wantedAtRest ?? 0);
  const expected = hasReplicas(settings) ? `${replicas} pods ready` : 'a pod ready on each node';
  if (application === undefined)
    return { id: 'pods-ready', expected, outcome: 'inconclusive', observed: 'the pods were not observed' };
  const observed = `${application.readyAtRest} pods ready`;
  if (application.readyAtRest === wanted) return { id: 'pods-ready', expected, outcome: 'met', observed };
  const advice =
    'see why pods stay Pending or unready; if there are not as many, something else sets the replicas, such as a HorizontalPodAutoscaler: pause it';
  return { id: 'pods-ready', expected, outcome: 'not-met', observed, advice };
}

/**
 * The same of an application of its owner, whose replicas an autoscaler may have changed meanwhile: as many as are
 * wanted at rest, and not fewer.
 */
export function atLeastReady(measured: Measurement, least: number, settings: Settings): Expectation {
  const wanted = settings.manifests === 'none' ? measured.application?.wantedAtRest : undefined;
  return podsReady(measured, wanted ?? least, settings);
}

/** What is observed of the nodes if the watch failed. */
export const nodesNotObserved = 'the nodes were not observed';

/**
 * "A new ARM node is provisioned", in a round in which capacity was lacking: for the application, not for somebody
 * else's pods.
 */
export function newNodes({ pool }: Measurement, settings: Settings, round: number): Expectation {
  const id = 'new-node';
  const expected =
    settings.nodePool.requirements === undefined
      ? 'a new ARM node is provisioned'
      : 'a new node of the pool is provisioned';
  if (pool === undefined) return { id, expected, outcome: 'inconclusive', observed: nodesNotObserved };
  const all = pool.newNodes[round] ?? [];
  const came = all.filter(({ holdsNewPod }) => holdsNewPod);
  if (came.length === 0) return { id, expected, outcome: 'inconclusive', observed: noneFor(all) };
  const requirements = requirementsOf(settings).filter(({ key }) => isRequirementLabel(key));
  const wrong = came.filter(({ labels }) => !requirements.every((requirement) => fulfils(labels, requirement)));
  const names = (wrong.length > 0 ? wrong : came).map(({ name }) => name).join(', ');
  if (wrong.length === 0) return { id, expected, outcome: 'met', observed: names };
  const advice = 'look at the requirements of the NodePool, and at what changes it or the nodes';
  return { id, expected, outcome: 'not-met', observed: `not as the pool requires: ${names}`, advice };
}

function noneFor(others: readonly NewNode[]): string {
  if (others.length === 0) return 'none came: the pods found room elsewhere';
  return `none came for the application: none of its new pods runs on ${others.map(({ name }) => name).join(', ')}`;
}

function downtimeOutcome({ bad, unknown, samples, edges }: WindowDowntime): Outcome {
  if (bad > 0) return 'not-met';
  return (edges?.bad ?? 0) > 0 || unknown > 0 || samples === 0 ? 'inconclusive' : 'met';
}
