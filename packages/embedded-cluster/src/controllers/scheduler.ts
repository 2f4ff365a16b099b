import type { Pod } from '../kubernetes/resources.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import { claimKeysOf } from '../objects/claims.ts';
import { conditionOf, withConditions } from '../objects/conditions.ts';
import { isFinished, isTerminating } from '../objects/pods.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { nodeInfoOf } from '../scheduling/node-info.ts';
import { withNominated } from '../scheduling/nominated.ts';
import { type Preemption, preemptionFor, priorityOf } from '../scheduling/preemption.ts';
import { type Snapshot, schedule } from '../scheduling/schedule.ts';
import { volumeNeedsOf } from '../scheduling/volumes.ts';
import type { Controller, Site } from '../setup/site.ts';
import { type Reservations, reservations } from './reservations.ts';

/**
 * Pod → node (kube-scheduler): taints, node selection, resources, topology spread, inter-pod affinity. `packs`: it
 * scores nodes as MostAllocated does, and replicas without a constraint are not spread.
 */
export function scheduler({ packs }: { readonly packs: boolean }): Controller {
  /** When each unschedulable pod may be tried again, by key, epoch milliseconds. */
  const retryAt = new Map<string, number>();
  const reserved = reservations();
  const seen: Seen = { isDomainRepelled: false, leastPriority: Number.POSITIVE_INFINITY, isAnyNominated: false };
  return reconciler({
    name: 'scheduler',
    watches: {
      Pod: (pod, cache) => {
        look(seen, pod);
        return mayMakeRoom(pod) ? [...cache.podsOn('')].map(keyOf) : isWaiting(pod) ? [keyOf(pod)] : [];
      },
      Node: (_node, cache) => [...cache.podsOn('')].map(keyOf),
      PersistentVolumeClaim: (claim, cache) => waitingFor(keyOf(claim), cache),
      PersistentVolume: (_volume, cache) => waitingWithClaims(cache),
      StorageClass: (_class, cache) => waitingWithClaims(cache),
    },
    reaction: 'scheduling',
    reconcile: async (site, key) => {
      const pod = site.cache.get('Pod', key);
      if (pod === undefined || !isWaiting(pod)) {
        reserved.release(key);
        return undefined;
      }
      const held = await reserved.resume(site, pod);
      if (held !== undefined) return 'node' in held ? bind(site, pod, held.node) : held.againSeconds;
      const backOffSeconds = secondsUntil(retryAt.get(key), site.now());
      if (backOffSeconds > 0) return backOffSeconds;
      retryAt.delete(key);
      const retry = () => retryAt.set(key, site.now() + 1000 * site.delay('schedulingRetry'));
      return place(site, pod, { packs, reserved, seen, retry });
    },
  });
}

const secondsUntil = (at: number | undefined, now: number): number => ((at ?? now) - now) / 1000;

interface Scheduling {
  readonly packs: boolean;
  readonly reserved: Reservations;
  readonly seen: Seen;
  readonly retry: () => void;
}

/** Binds the pod, reserves a node until its claims are bound, or says why there is none. */
async function place(site: Site, pod: Pod, { packs, reserved, seen, retry }: Scheduling): Promise<number | undefined> {
  const snapshot = snapshotFor(site, pod, seen, reserved);
  const decision = schedule(pod, snapshot, site.random, packs);
  if (!('node' in decision)) {
    retry();
    return postFilter(site, pod, { snapshot, seen, message: decision.message });
  }
  const waits = await reserved.reserve(site, pod, decision.node, snapshot.volumes?.toBind ?? []);
  return waits ?? bind(site, pod, decision.node.name);
}

/** Features that any pod has used so far: a feature that none has used costs nothing. */
interface Seen {
  /** Anti-affinity over domains of several nodes: from then on a decision needs all nodes. */
  isDomainRepelled: boolean;
  /** Pods of this priority preempt nobody. */
  leastPriority: number;
  isAnyNominated: boolean;
}

function look(seen: Seen, pod: Pod): void {
  seen.isDomainRepelled ||= repelsDomain(pod);
  seen.isAnyNominated ||= pod.status?.nominatedNodeName !== undefined;
  seen.leastPriority = Math.min(seen.leastPriority, priorityOf(pod));
}

function snapshotFor(
  site: Site,
  pod: Pod,
  { isDomainRepelled, isAnyNominated }: Seen,
  { withReserved }: Reservations,
): Snapshot {
  const names = [...site.cache.list('Node')].map(({ metadata }) => metadata.name);
  const nodeInfo = (name: string) => site.cache.ofNode(name, nodeInfoOf);
  const volumes = volumeNeedsOf(pod, site.cache);
  const snapshot = withReserved({ names, nodeInfo, isDomainRepelled, volumes }, pod);
  return isAnyNominated ? withNominated(snapshot, pod, site.cache.podsOn('')) : snapshot;
}

interface Unschedulable {
  readonly snapshot: Snapshot;
  readonly seen: Seen;
  readonly message: string;
}

/**
 * Makes room by preemption where that helps; the pod is nominated to the node, until it is bound or that no longer
 * helps.
 */
async function postFilter(site: Site, pod: Pod, { snapshot, seen, message }: Unschedulable): Promise<undefined> {
  const mayPreempt = priorityOf(pod) > seen.leastPriority;
  const found = mayPreempt ? preemptionFor(pod, snapshot, [...site.cache.list('PodDisruptionBudget')]) : undefined;
  if (found !== undefined && found !== 'waiting') await preempt(site, pod, found);
  const nominated = found === 'waiting' ? pod.status?.nominatedNodeName : found?.node.name;
  await markUnschedulable(site, pod, message, nominated);
}

/** Pods of another scheduler, and pods with scheduling gates, are left alone. */
function isWaiting(pod: Pod): boolean {
  const { nodeName, schedulerName = ownName, schedulingGates = [] } = pod.spec;
  if (nodeName !== undefined || isTerminating(pod) || isFinished(pod)) return false;
  return schedulerName === ownName && schedulingGates.length === 0;
}

const ownName = 'default-scheduler';

const waitingFor = (claim: string, cache: Cache): readonly string[] =>
  [...cache.podsOn('')].filter((pod) => claimKeysOf(pod).includes(claim)).map(keyOf);

const waitingWithClaims = (cache: Cache): readonly string[] =>
  [...cache.podsOn('')].filter((pod) => claimKeysOf(pod).length > 0).map(keyOf);

/** Whether it has anti-affinity over domains of more than one node. */
function repelsDomain({ spec }: Pod): boolean {
  const terms = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.some(({ topologyKey }) => topologyKey !== 'kubernetes.io/hostname');
}

const mayMakeRoom = (pod: Pod): boolean => pod.spec.nodeName !== undefined && (isTerminating(pod) || isFinished(pod));

/** The API server sets the condition PodScheduled with the binding. */
async function bind(site: Site, pod: Pod, nodeName: string): Promise<undefined> {
  await site.cluster.patch('Pod', placeOf(keyOf(pod)), { type: 'merge', value: { spec: { nodeName } } });
}

async function markUnschedulable(site: Site, pod: Pod, message: string, nominated: string | undefined): Promise<void> {
  const before = pod.status?.nominatedNodeName;
  if (nominated === before && conditionOf(pod, 'PodScheduled')?.message === message) return;
  const conditions = withConditions(
    pod.status?.conditions,
    [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
    site.now(),
  );
  const nomination = nominated === before ? {} : { nominatedNodeName: nominated ?? null };
  await site.cluster.patch(
    'Pod',
    placeOf(keyOf(pod)),
    { type: 'merge', value: { status: { phase: 'Pending', conditions, ...nomination } } },
    { subresource: 'status' },
  );
}

/**
 * Deletes the victims, each with the condition DisruptionTarget, and gives up the nominations of less important pods to
 * the node (framework/preemption, prepareCandidate). The caller has to write the nominated node into the pod's status.
 */
async function preempt(site: Site, pod: Pod, { node, victims }: Preemption): Promise<void> {
  for (const victim of victims) if (!isTerminating(victim)) await take(site, victim);
  for (const other of site.cache.podsOn(''))
    if (other.status?.nominatedNodeName === node.name && priorityOf(other) < priorityOf(pod))
      await patchStatus(site, other, { nominatedNodeName: null });
}

async function take(site: Site, victim: Pod): Promise<void> {
  const message = 'default-scheduler: preempting to accommodate a higher priority pod';
  const stated = [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message }] as const;
  await patchStatus(site, victim, { conditions: withConditions(victim.status?.conditions, stated, site.now()) });
  await site.cluster.delete('Pod', placeOf(keyOf(victim)), { uid: victim.metadata.uid ?? '' });
}

async function patchStatus(site: Site, pod: Pod, status: object): Promise<void> {
  const at = placeOf(keyOf(pod));
  await site.cluster.patch('Pod', at, { type: 'merge', value: { status } }, { subresource: 'status' });
}
