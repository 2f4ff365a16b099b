import type { NodeClaim } from '../../cluster/autoscaler.ts';
import type { Node, Pod } from '../../cluster/resources.ts';
import { nodeOf } from '../autoscaler/cluster-state.ts';
import { disruptedTaint, words } from '../autoscaler/words.ts';
import type { Cache } from '../cache.ts';
import { isTrue, type Stated, withConditions } from '../conditions.ts';
import { instanceIdOf, instanceState } from '../instances.ts';
import type { Machines } from '../machines.ts';
import { isFinished, isTerminating } from '../pods.ts';
import { untolerated, withTaint } from '../scheduling/taints.ts';
import type { AutoscalerHabits } from '../setup.ts';
import type { Controller, Site } from '../site.ts';
import { instantOf } from '../timestamps.ts';
import { recordEvent } from './events.ts';
import { reconciler } from './reconciler.ts';

type Cloud = Pick<Machines, 'instance' | 'terminate'>;

/** A deleted NodeClaim or Node: taint, drain, terminate the instance, then let both go (node/termination, nodeclaim/lifecycle). */
export function termination(cloud: Cloud, habits: Pick<AutoscalerHabits, 'evicts'>): Controller {
  return reconciler({
    name: 'termination',
    watches: {
      NodeClaim: (claim) => (claim.metadata.deletionTimestamp === undefined ? [] : [claim.metadata.name]),
      Node: (node, cache) => (node.metadata.deletionTimestamp === undefined ? [] : claimOf(node, cache)),
      Pod: (pod, cache) => leavingClaimUnder(pod, cache),
    },
    reaction: 'autoscalerReaction',
    reconcile: async (site, name) => {
      const claim = site.cache.get('NodeClaim', name);
      if (claim === undefined) return undefined;
      const node = nodeOf(claim, site.cache);
      if (claim.metadata.deletionTimestamp === undefined) {
        if (node?.metadata.deletionTimestamp !== undefined) await deleteClaim(site, claim);
        return undefined;
      }
      return node === undefined ? release(site, claim, cloud) : takeDown(site, claim, node, { ...cloud, ...habits });
    },
  });
}

const claimOf = (node: Node, cache: Cache): readonly string[] =>
  [...cache.list('NodeClaim')]
    .filter(({ status }) => status?.nodeName === node.metadata.name)
    .map(({ metadata }) => metadata.name);

function leavingClaimUnder(pod: Pod, cache: Cache): readonly string[] {
  const node = cache.get('Node', pod.spec.nodeName ?? '');
  return node?.metadata.deletionTimestamp === undefined ? [] : claimOf(node, cache);
}

async function deleteClaim(site: Site, { metadata }: NodeClaim): Promise<void> {
  await site.cluster.delete('NodeClaim', { name: metadata.name }, { uid: metadata.uid ?? '' });
}

/** How soon the drain and the cloud are asked again. */
const askAgainSeconds = 1;

async function takeDown(
  site: Site,
  claim: NodeClaim,
  node: Node,
  cloud: Cloud & Pick<AutoscalerHabits, 'evicts'>,
): Promise<number | undefined> {
  const { name, uid = '' } = node.metadata;
  if (node.metadata.deletionTimestamp === undefined) {
    await site.cluster.delete('Node', { name }, { uid });
    return askAgainSeconds;
  }
  if (!isTrue(node, 'Ready') && isInstanceGone(claim, cloud, site.now())) {
    await dropFinalizer(site, 'Node', name);
    return askAgainSeconds;
  }
  await shutOut(site, node);
  if (await drain(site, claim, node, cloud.evicts)) return askAgainSeconds;
  await state(site, claim, [
    { type: 'Drained', status: 'True', reason: 'Drained' },
    { type: 'InstanceTerminating', status: 'True', reason: 'InstanceTerminating' },
  ]);
  cloud.terminate(instanceIdOf(claim.status?.providerID ?? ''));
  if (!isInstanceGone(claim, cloud, site.now())) return askAgainSeconds;
  await dropFinalizer(site, 'Node', name);
  return askAgainSeconds;
}

/** No new pod, no new connection from the load balancers. */
async function shutOut(site: Site, { metadata, spec }: Node): Promise<void> {
  const value = {
    metadata: { labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': 'karpenter' } },
    spec: { taints: withTaint(spec?.taints ?? [], disruptedTaint) },
  };
  await site.cluster.patch('Node', { name: metadata.name }, { type: 'merge', value });
}

/** Evicts the next group of pods; true while there is something left to wait for. */
async function drain(site: Site, claim: NodeClaim, node: Node, evicts: boolean): Promise<boolean> {
  const pods = [...site.cache.podsOn(node.metadata.name)].filter(isDrained);
  const groups = [pods.filter((pod) => !isCritical(pod)), pods.filter(isCritical)];
  const next = groups.find((group) => group.length > 0) ?? [];
  for (const pod of next.filter((one) => !isTerminating(one))) {
    const { namespace = '', name, uid = '' } = pod.metadata;
    const outcome = evicts
      ? (await site.cluster.evict({ namespace, name, uid })).outcome
      : await site.cluster.delete('Pod', { namespace, name }, { uid });
    if (outcome !== 'refused') await recordEvent(site, pod, 'Normal', 'Evicted', 'Evicted pod');
  }
  const since = instantOf(node.metadata.deletionTimestamp ?? claim.metadata.deletionTimestamp ?? '');
  return pods.length > 0 || site.now() < since + 1000 * site.delay('leastDrain');
}

/** Pods that tolerate the taint stay to the end, as DaemonSets' do, and those that have finished. */
function isDrained(pod: Pod): boolean {
  return !isFinished(pod) && untolerated(pod.spec, [disruptedTaint]) !== undefined;
}

const isCritical = ({ spec }: Pod): boolean => spec.priorityClassName?.startsWith('system-') === true;

/** The Node is gone: the instance is made sure of, and the claim goes too. */
async function release(site: Site, claim: NodeClaim, cloud: Cloud): Promise<number | undefined> {
  const { name } = claim.metadata;
  if (claim.status?.providerID !== undefined && !isInstanceGone(claim, cloud, site.now())) {
    cloud.terminate(instanceIdOf(claim.status.providerID));
    await state(site, claim, [{ type: 'InstanceTerminating', status: 'True', reason: 'InstanceTerminating' }]);
    return askAgainSeconds;
  }
  await dropFinalizer(site, 'NodeClaim', name);
  return undefined;
}

function isInstanceGone({ status }: NodeClaim, cloud: Cloud, at: number): boolean {
  const instance = cloud.instance(instanceIdOf(status?.providerID ?? ''));
  return instance === undefined || instanceState(instance, at) === 'terminated';
}

async function dropFinalizer(site: Site, kind: 'Node' | 'NodeClaim', name: string): Promise<void> {
  const finalizers = (site.cache.get(kind, name)?.metadata.finalizers ?? []).filter((one) => one !== words.finalizer);
  await site.cluster.patch(kind, { name }, { type: 'merge', value: { metadata: { finalizers } } });
}

async function state(site: Site, claim: NodeClaim, stated: readonly Stated[]): Promise<void> {
  const value = { status: { conditions: withConditions(claim.status?.conditions, stated, site.now()) } };
  await site.cluster.patch(
    'NodeClaim',
    { name: claim.metadata.name },
    { type: 'merge', value },
    { subresource: 'status' },
  );
}
