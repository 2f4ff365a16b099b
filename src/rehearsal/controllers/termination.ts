import type { NodeClaim } from '../../cluster/autoscaler.ts';
import type { Node, Pod } from '../../cluster/resources.ts';
import { nodeOf } from '../autoscaler/cluster-state.ts';
import { draining } from '../autoscaler/draining.ts';
import { durationSeconds } from '../autoscaler/durations.ts';
import { disruptedTaint, words } from '../autoscaler/words.ts';
import { instanceIdOf, instanceState } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import type { Cache } from '../objects/cache.ts';
import { conditionOf, isTrue, type Stated, withConditions } from '../objects/conditions.ts';
import { instantOf, timestamp } from '../objects/timestamps.ts';
import { withTaint } from '../scheduling/taints.ts';
import type { AutoscalerHabits } from '../setup/setup.ts';
import type { Controller, Site } from '../setup/site.ts';
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
  const endsAt = await announced(site, claim);
  if ((await drain(site, claim, node, { evicts: cloud.evicts, endsAt })) && site.now() < endsAt) {
    await state(site, claim, [{ type: 'Drained', status: 'Unknown', reason: 'Draining', message: 'Draining' }]);
    return askAgainSeconds;
  }
  await state(site, claim, gone);
  cloud.terminate(instanceIdOf(claim.status?.providerID ?? ''));
  if (!isInstanceGone(claim, cloud, site.now())) return askAgainSeconds;
  await dropFinalizer(site, 'Node', name);
  return askAgainSeconds;
}

const gone = ['Drained', 'VolumesDetached', 'InstanceTerminating'].map(
  (type) => ({ type, status: 'True', reason: type }) as const,
);

/** When the claim's terminationGracePeriod is over, epoch milliseconds: the claim says so, and people are told. */
async function announced(site: Site, { metadata, spec }: NodeClaim): Promise<number> {
  const seconds = durationSeconds(spec.terminationGracePeriod);
  if (!Number.isFinite(seconds)) return seconds;
  const endsAt = instantOf(metadata.deletionTimestamp ?? '') + 1000 * seconds;
  const said = timestamp(endsAt);
  const value = { metadata: { annotations: { [words.terminatesAt]: said } } };
  if (metadata.annotations?.[words.terminatesAt] !== said) {
    await site.cluster.patch('NodeClaim', { name: metadata.name }, { type: 'merge', value });
    const claim = site.cache.get('NodeClaim', metadata.name);
    const message = `All pods will be deleted by ${said}`;
    if (claim !== undefined) await recordEvent(site, claim, 'Warning', 'TerminationGracePeriodExpiring', message);
  }
  return endsAt;
}

/** No new pod, no new connection from the load balancers. */
async function shutOut(site: Site, { metadata, spec }: Node): Promise<void> {
  const value = {
    metadata: { labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': 'karpenter' } },
    spec: { taints: withTaint(spec?.taints ?? [], disruptedTaint) },
  };
  await site.cluster.patch('Node', { name: metadata.name }, { type: 'merge', value });
}

interface Drain extends Pick<AutoscalerHabits, 'evicts'> {
  readonly endsAt: number;
}

/** Evicts the next group of pods; true while there is something left to wait for. */
async function drain(site: Site, claim: NodeClaim, node: Node, { evicts, endsAt }: Drain): Promise<boolean> {
  const { evict, expiring, waiting } = draining(site.cache.podsOn(node.metadata.name), site.now(), endsAt);
  for (const pod of expiring) await cutShort(site, pod, endsAt);
  const reason = conditionOf(claim, 'DisruptionReason')?.reason ?? 'Forceful Termination';
  for (const pod of evict.filter((one) => !expiring.includes(one))) {
    const { namespace = '', name, uid = '' } = pod.metadata;
    const outcome = evicts
      ? (await site.cluster.evict({ namespace, name, uid })).outcome
      : await site.cluster.delete('Pod', { namespace, name }, { uid });
    if (outcome !== 'refused') await recordEvent(site, pod, 'Normal', 'Evicted', `Evicted pod: ${reason}`);
  }
  if (waiting > 0) {
    const message = `Failed to drain node, ${waiting} pods are waiting to be evicted`;
    await recordEvent(site, node, 'Warning', 'FailedDraining', message);
  }
  const since = instantOf(node.metadata.deletionTimestamp ?? claim.metadata.deletionTimestamp ?? '');
  return waiting > 0 || site.now() < since + 1000 * site.delay('leastDrain');
}

/** Deleted past its budget and its annotation, with as much of its grace period as the node has left. */
async function cutShort(site: Site, pod: Pod, endsAt: number): Promise<void> {
  const { namespace = '', name, uid = '' } = pod.metadata;
  const gracePeriodSeconds = Math.max(1, Math.floor((endsAt - site.now()) / 1000));
  const message = `Deleting the pod to accommodate the terminationTime ${timestamp(endsAt)} of the node.`;
  await recordEvent(site, pod, 'Normal', 'Disrupted', message);
  await site.cluster.delete('Pod', { namespace, name }, { uid, gracePeriodSeconds });
}

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
