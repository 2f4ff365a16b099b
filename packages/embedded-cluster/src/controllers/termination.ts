import { nodeOf } from '../autoscaler/cluster-state.ts';
import { draining } from '../autoscaler/draining.ts';
import { durationSeconds } from '../autoscaler/durations.ts';
import { type EvictionBackOff, evictionBackOff } from '../autoscaler/eviction-back-off.ts';
import { pendingAttachments } from '../autoscaler/pending-attachments.ts';
import { disruptedTaint, wellKnown } from '../autoscaler/well-known.ts';
import type { NodeClaim } from '../kubernetes/autoscaler.ts';
import type { Node, Pod } from '../kubernetes/resources.ts';
import { instanceIdOf, instanceState } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import type { Cache } from '../objects/cache.ts';
import { conditionOf, isTrue, type Stated, withConditions } from '../objects/conditions.ts';
import { defaultGraceSeconds } from '../objects/pods.ts';
import { instantOf, timestamp } from '../objects/timestamps.ts';
import { recordEvent } from '../reconciling/events.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { excludeFromLoadBalancers, withTaint } from '../scheduling/taints.ts';
import type { AutoscalerBehaviour } from '../setup/setup.ts';
import type { Controller, Site } from '../setup/site.ts';

type Cloud = Pick<Machines, 'instance' | 'terminate'>;

/**
 * A deleted NodeClaim or Node: taint, drain, terminate the instance, then remove both finalizers (node/termination,
 * nodeclaim/lifecycle).
 */
export function termination(cloud: Cloud, behaviour: Pick<AutoscalerBehaviour, 'evicts'>): Controller {
  const refusals = evictionBackOff();
  return reconciler({
    name: 'termination',
    watches: {
      NodeClaim: (claim) => (claim.metadata.deletionTimestamp === undefined ? [] : [claim.metadata.name]),
      Node: (node, cache) => (node.metadata.deletionTimestamp === undefined ? [] : claimOf(node, cache)),
      Pod: (pod, cache) => deletedClaimOf(pod, cache),
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
      return node === undefined
        ? finalizeClaim(site, claim, cloud)
        : terminateNode(site, claim, node, { ...cloud, ...behaviour, refusals });
    },
  });
}

const claimOf = (node: Node, cache: Cache): readonly string[] =>
  [...cache.list('NodeClaim')]
    .filter(({ status }) => status?.nodeName === node.metadata.name)
    .map(({ metadata }) => metadata.name);

function deletedClaimOf(pod: Pod, cache: Cache): readonly string[] {
  const node = cache.get('Node', pod.spec.nodeName ?? '');
  return node?.metadata.deletionTimestamp === undefined ? [] : claimOf(node, cache);
}

async function deleteClaim(site: Site, { metadata }: NodeClaim): Promise<void> {
  await site.cluster.delete('NodeClaim', { name: metadata.name }, { uid: metadata.uid ?? '' });
}

/** How soon the drain is looked at again (node/termination/controller.go). */
const recheckSeconds = 1;

async function terminateNode(
  site: Site,
  claim: NodeClaim,
  node: Node,
  { evicts, refusals, ...cloud }: Cloud & Evicting,
): Promise<number | undefined> {
  const { name, uid = '' } = node.metadata;
  if (node.metadata.deletionTimestamp === undefined) {
    await site.cluster.delete('Node', { name }, { uid });
    return recheckSeconds;
  }
  if (!isTrue(node, 'Ready') && isInstanceGone(claim, cloud, site.now())) {
    await dropFinalizer(site, 'Node', name);
    return recheckSeconds;
  }
  await taintDisrupted(site, node);
  const endsAt = await annotateTermination(site, claim, node);
  // Also after `endsAt`: pods that were deleted then are waited for until they are stuck (node/termination,
  // awaitDrain).
  if (await drain(site, claim, node, { evicts, refusals, endsAt })) {
    await patchConditions(site, claim, [
      { type: 'Drained', status: 'Unknown', reason: 'Draining', message: 'Draining' },
    ]);
    return Math.min(recheckSeconds, refusals.nextSeconds(site.now()));
  }
  const volumes = await volumesDetached(site, node, endsAt);
  if (volumes.status === 'Unknown') {
    await patchConditions(site, claim, [stated('Drained'), volumes]);
    return recheckSeconds;
  }
  await patchConditions(site, claim, [stated('Drained'), volumes, stated('InstanceTerminating')]);
  cloud.terminate(instanceIdOf(claim.status?.providerID ?? ''));
  if (!isInstanceGone(claim, cloud, site.now())) return site.delay('instanceRecheck');
  await dropFinalizer(site, 'Node', name);
  return recheckSeconds;
}

const stated = (type: string): Stated => ({ type, status: 'True', reason: type });

/** The machine waits for the volumes of drained pods, until the claim's terminationGracePeriod is over. */
async function volumesDetached(site: Site, node: Node, endsAt: number): Promise<Stated> {
  const pending = pendingAttachments(node.metadata.name, site.cache, site.now());
  if (pending.length === 0) return stated('VolumesDetached');
  const [type, reason] = ['VolumesDetached', 'TerminationGracePeriodElapsed'];
  if (site.now() >= endsAt) return { type, status: 'False', reason, message: reason };
  const awaiting = 'AwaitingVolumeDetachment';
  const names = pending.map(({ metadata }) => metadata.name).join(', ');
  await recordEvent(site, node, 'Normal', awaiting, `Awaiting deletion of bound volumeattachments (${names})`);
  return { type, status: 'Unknown', reason: awaiting, message: awaiting };
}

/** The end of the claim's terminationGracePeriod, epoch milliseconds; written into an annotation and an event. */
async function annotateTermination(site: Site, { metadata, spec }: NodeClaim, node: Node): Promise<number> {
  const seconds = durationSeconds(spec.terminationGracePeriod);
  if (!Number.isFinite(seconds)) return seconds;
  const endsAt = instantOf(metadata.deletionTimestamp ?? '') + 1000 * seconds;
  const terminationTime = timestamp(endsAt);
  const value = { metadata: { annotations: { [wellKnown.terminationTimestamp]: terminationTime } } };
  if (metadata.annotations?.[wellKnown.terminationTimestamp] !== terminationTime) {
    await site.cluster.patch('NodeClaim', { name: metadata.name }, { type: 'merge', value });
    const claim = site.cache.get('NodeClaim', metadata.name);
    const message = `All pods will be deleted by ${terminationTime}`;
    for (const about of claim === undefined ? [node] : [claim, node])
      await recordEvent(site, about, 'Warning', 'TerminationGracePeriodExpiring', message);
  }
  return endsAt;
}

/** No new pods, and no new connections from load balancers. */
async function taintDisrupted(site: Site, { metadata, spec }: Node): Promise<void> {
  const value = {
    metadata: { labels: { [excludeFromLoadBalancers]: 'karpenter' } },
    spec: { taints: withTaint(spec?.taints ?? [], disruptedTaint) },
  };
  await site.cluster.patch('Node', { name: metadata.name }, { type: 'merge', value });
}

interface Evicting extends Pick<AutoscalerBehaviour, 'evicts'> {
  readonly refusals: EvictionBackOff;
}
interface Drain extends Evicting {
  /** End of the claim's terminationGracePeriod, epoch milliseconds. */
  readonly endsAt: number;
}

/** Evicts the next group of pods; true while the drain is not finished. */
async function drain(site: Site, claim: NodeClaim, node: Node, { evicts, refusals, endsAt }: Drain): Promise<boolean> {
  const { evict, expiring, waiting } = draining(site.cache.podsOn(node.metadata.name), site.now(), endsAt);
  for (const pod of expiring) await deleteExpiring(site, pod, endsAt);
  const reason = conditionOf(claim, 'DisruptionReason')?.reason ?? 'Forceful Termination';
  const due = evict.filter((pod) => !expiring.includes(pod) && refusals.isDue(pod.metadata.uid ?? '', site.now()));
  for (const pod of due) {
    const isRefused = await evictPod(site, pod, evicts);
    refusals.record(pod.metadata.uid ?? '', isRefused, site.now());
    if (!isRefused) await recordEvent(site, pod, 'Normal', 'Evicted', `Evicted pod: ${reason}`);
  }
  if (waiting > 0) {
    const message = `Failed to drain node, ${waiting} pods are waiting to be evicted`;
    await recordEvent(site, node, 'Warning', 'FailedDraining', message);
  }
  const since = instantOf(node.metadata.deletionTimestamp ?? claim.metadata.deletionTimestamp ?? '');
  return waiting > 0 || site.now() < since + 1000 * site.delay('leastDrain');
}

/** Whether a budget refused it. */
async function evictPod({ cluster }: Site, { metadata }: Pod, evicts: boolean): Promise<boolean> {
  const { namespace = '', name, uid = '' } = metadata;
  if (evicts) return (await cluster.evict({ namespace, name, uid })).outcome === 'refused';
  await cluster.delete('Pod', { namespace, name }, { uid });
  return false;
}

/** Deletes a pod past its budget and annotation, with what the node has left as its grace period. */
async function deleteExpiring(site: Site, pod: Pod, endsAt: number): Promise<void> {
  const { namespace = '', name, uid = '' } = pod.metadata;
  const gracePeriodSeconds = Math.max(1, Math.floor((endsAt - site.now()) / 1000));
  const ends = timestamp(endsAt).replace('T', ' ').replace('Z', ' +0000 UTC');
  const graceSeconds = pod.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds;
  const message = [
    `Deleting the pod to accommodate the terminationTime ${ends} of the node.`,
    `The pod was granted ${gracePeriodSeconds} seconds of grace-period of its ${graceSeconds} terminationGracePeriodSeconds.`,
    'This bypasses the PDB of the pod and the do-not-disrupt annotation.',
  ].join(' ');
  await recordEvent(site, pod, 'Normal', 'Disrupted', message);
  await site.cluster.delete('Pod', { namespace, name }, { uid, gracePeriodSeconds });
}

/** The Node is gone: the claim's finalizer is removed once the instance is terminated. */
async function finalizeClaim(site: Site, claim: NodeClaim, cloud: Cloud): Promise<number | undefined> {
  const { name } = claim.metadata;
  if (claim.status?.providerID !== undefined && !isInstanceGone(claim, cloud, site.now())) {
    cloud.terminate(instanceIdOf(claim.status.providerID));
    await patchConditions(site, claim, [
      { type: 'InstanceTerminating', status: 'True', reason: 'InstanceTerminating' },
    ]);
    return site.delay('instanceRecheck');
  }
  await dropFinalizer(site, 'NodeClaim', name);
  return undefined;
}

function isInstanceGone({ status }: NodeClaim, cloud: Cloud, at: number): boolean {
  const instance = cloud.instance(instanceIdOf(status?.providerID ?? ''));
  return instance === undefined || instanceState(instance, at) === 'terminated';
}

async function dropFinalizer(site: Site, kind: 'Node' | 'NodeClaim', name: string): Promise<void> {
  const finalizers = (site.cache.get(kind, name)?.metadata.finalizers ?? []).filter(
    (one) => one !== wellKnown.finalizer,
  );
  await site.cluster.patch(kind, { name }, { type: 'merge', value: { metadata: { finalizers } } });
}

async function patchConditions(site: Site, claim: NodeClaim, stated: readonly Stated[]): Promise<void> {
  const value = { status: { conditions: withConditions(claim.status?.conditions, stated, site.now()) } };
  await site.cluster.patch(
    'NodeClaim',
    { name: claim.metadata.name },
    { type: 'merge', value },
    { subresource: 'status' },
  );
}
