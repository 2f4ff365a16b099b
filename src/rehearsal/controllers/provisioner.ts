import type { NodePool } from '../../cluster/autoscaler.ts';
import type { Pod } from '../../cluster/resources.ts';
import { displacedPods, nodeInfosOf, pendingPods, poolOfferings } from '../autoscaler/cluster-state.ts';
import { isWithin, roomAfter, roomOf } from '../autoscaler/limits.ts';
import { claimFor } from '../autoscaler/new-claim.ts';
import { type Plan, pack } from '../autoscaler/packing.ts';
import type { Cache } from '../objects/cache.ts';
import { conditionOf } from '../objects/conditions.ts';
import { unbound } from '../objects/pods.ts';
import type { Amounts } from '../objects/quantities.ts';
import type { AutoscalerBehaviour } from '../setup/setup.ts';
import type { Controller, Site } from '../setup/site.ts';
import { recordEvent } from './events.ts';
import { reconciler } from './reconciler.ts';

/** Karpenter's provisioner: unschedulable pods → NodeClaims, in batches (pkg/controllers/provisioning). */
export function provisioner(zones: readonly string[], behaviour: AutoscalerBehaviour): Controller {
  return reconciler({
    name: 'provisioner',
    watches: {
      Pod: (pod) => (isPending(pod) ? batch : []),
      NodeClaim: (claim) => (claim.metadata.deletionTimestamp === undefined ? [] : batch),
      NodePool: (_pool, cache) => (pendingPods(cache).length > 0 ? batch : []),
    },
    reaction: 'autoscalerBatch',
    reconcile: async (site) => {
      const pods = [...pendingPods(site.cache), ...podsOfDeletedNodes(site)];
      if (pods.length === 0) return undefined;
      const { plans, unplaced } = pack(pods, nodeInfosOf(site.cache), poolOfferings(site.cache, zones, behaviour));
      const overLimit = beyondLimits(plans, site.cache);
      for (const plan of plans.filter((one) => !overLimit.includes(one))) await createClaim(site, plan, behaviour);
      const unschedulable = [...unplaced, ...overLimit.flatMap((plan) => plan.pods)];
      await recordFailures(site, unschedulable);
      return unschedulable.length > 0 ? retrySeconds : undefined;
    },
  });
}

/** One key for all pods: they are provisioned together. */
const batch = ['batch'];

/** How soon a pod that no pool could hold is tried again. */
const retrySeconds = 10;

async function recordFailures(site: Site, pods: readonly Pod[]): Promise<void> {
  const message = 'No NodePool can hold the pod';
  for (const pod of pods) await recordEvent(site, pod, 'Warning', 'FailedScheduling', message, { afterSeconds: 300 });
}

/** The plans that their pools' limits leave no room for after the plans before them. */
function beyondLimits(plans: readonly Plan[], cache: Cache): readonly Plan[] {
  const rooms = new Map<NodePool, Amounts>();
  return plans.filter(({ pool, offering }) => {
    const room = rooms.get(pool) ?? roomOf(pool, cache);
    const fits = isWithin(room, offering.type);
    rooms.set(pool, fits ? roomAfter(room, offering.type) : room);
    return !fits;
  });
}

async function createClaim(site: Site, plan: Plan, behaviour: AutoscalerBehaviour): Promise<void> {
  const claim = await site.cluster.create(claimFor(plan, site.random, behaviour));
  const message = `Pod should schedule on: nodeclaim/${claim.metadata.name}`;
  for (const pod of plan.pods) await recordEvent(site, pod, 'Normal', 'Nominated', message);
}

function isPending(pod: Pod): boolean {
  return pod.spec.nodeName === undefined && conditionOf(pod, 'PodScheduled')?.reason === 'Unschedulable';
}

/** A node of a command is left out until it is deleted: its replacement is there by then (disruption/queue.go, MarkForDeletion). */
function podsOfDeletedNodes({ cache, now }: Pick<Site, 'cache' | 'now'>): readonly Pod[] {
  const deleted = new Set(
    [...cache.list('NodeClaim')]
      .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
      .map((claim) => claim.status?.nodeName),
  );
  return displacedPods(cache, now())
    .filter(({ spec }) => deleted.has(spec.nodeName))
    .map(unbound);
}
