import type { NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import type { Pod } from '../../cluster/resources.ts';
import { isLeaving, nodeOf, pendingPods, placesOf, reschedulablePods, sourcesOf } from '../autoscaler/cluster-state.ts';
import { after, isWithin, roomOf } from '../autoscaler/limits.ts';
import { claimFor } from '../autoscaler/new-claim.ts';
import { type Plan, pack } from '../autoscaler/packing.ts';
import type { Cache } from '../objects/cache.ts';
import { conditionOf } from '../objects/conditions.ts';
import { unbound } from '../objects/pods.ts';
import type { Amounts } from '../objects/quantities.ts';
import type { AutoscalerHabits } from '../setup/setup.ts';
import type { Controller, Site } from '../setup/site.ts';
import { recordEvent } from './events.ts';
import { reconciler } from './reconciler.ts';

/** Karpenter's provisioner: pods without a place → NodeClaims, in batches (pkg/controllers/provisioning). */
export function provisioner(zones: readonly string[], habits: AutoscalerHabits): Controller {
  return reconciler({
    name: 'provisioner',
    watches: {
      Pod: (pod) => (isPending(pod) ? batch : []),
      NodeClaim: (claim) => (claim.metadata.deletionTimestamp === undefined ? [] : batch),
      NodePool: (_pool, cache) => (pendingPods(cache).length > 0 ? batch : []),
    },
    reaction: 'autoscalerBatch',
    reconcile: async (site) => {
      const pods = [...pendingPods(site.cache), ...displacedPods(site.cache)];
      if (pods.length === 0) return undefined;
      const { plans, unplaced } = pack(pods, placesOf(site.cache), sourcesOf(site.cache, zones, habits));
      const beyond = beyondLimits(plans, site.cache);
      for (const plan of plans.filter((one) => !beyond.includes(one))) await buy(site, plan, habits);
      const left = [...unplaced, ...beyond.flatMap((plan) => plan.pods)];
      await explain(site, left);
      return left.length > 0 ? retrySeconds : undefined;
    },
  });
}

const batch = ['batch'];
/** A pod that no pool can hold is looked at again with the next batch that it asks for. */
const retrySeconds = 10;

async function explain(site: Site, pods: readonly Pod[]): Promise<void> {
  const message = 'No NodePool can hold the pod';
  for (const pod of pods) await recordEvent(site, pod, 'Warning', 'FailedScheduling', message);
}

/** Those of the plans that their pools' limits leave no room for, when the ones before them are bought. */
function beyondLimits(plans: readonly Plan[], cache: Cache): readonly Plan[] {
  const rooms = new Map<NodePool, Amounts>();
  return plans.filter(({ pool, offering }) => {
    const room = rooms.get(pool) ?? roomOf(pool, cache);
    const fits = isWithin(room, offering.type);
    rooms.set(pool, fits ? after(room, offering.type) : room);
    return !fits;
  });
}

async function buy(site: Site, plan: Plan, habits: AutoscalerHabits): Promise<void> {
  const claim = await site.cluster.create(claimFor(plan, site.random, habits));
  const message = `Pod should schedule on: nodeclaim/${claim.metadata.name}`;
  for (const pod of plan.pods) await recordEvent(site, pod, 'Normal', 'Nominated', message);
}

function isPending(pod: Pod): boolean {
  return pod.spec.nodeName === undefined && conditionOf(pod, 'PodScheduled')?.reason === 'Unschedulable';
}

/** The pods of nodes that are being deleted, which will need a place when they are evicted. */
function displacedPods(cache: Cache): readonly Pod[] {
  return [...cache.list('NodeClaim')]
    .filter((claim: NodeClaim) => claim.metadata.deletionTimestamp !== undefined && isLeaving(claim, cache))
    .flatMap((claim) => reschedulablePods(nodeOf(claim, cache)?.metadata.name ?? ' ', cache))
    .map(unbound);
}
