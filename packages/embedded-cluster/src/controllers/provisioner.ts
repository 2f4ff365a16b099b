import { displacedPods, isSynced, nodeInfosOf, pendingPods, poolOfferings } from '../autoscaler/cluster-state.ts';
import { isWithin, roomAfter, roomOf } from '../autoscaler/limits.ts';
import { claimFor } from '../autoscaler/new-claim.ts';
import { type Plan, pack } from '../autoscaler/packing.ts';
import { disruptedTaint } from '../autoscaler/well-known.ts';
import type { NodePool } from '../kubernetes/autoscaler.ts';
import { ApiError } from '../kubernetes/cluster.ts';
import type { Node, Pod } from '../kubernetes/resources.ts';
import { type Cache, keyOf } from '../objects/cache.ts';
import { conditionOf } from '../objects/conditions.ts';
import { unbound } from '../objects/pods.ts';
import type { Amounts } from '../objects/quantities.ts';
import { recordEvent } from '../reconciling/events.ts';
import { volumeNeedsOf } from '../scheduling/volumes.ts';
import type { AutoscalerBehaviour } from '../setup/setup.ts';
import type { Controller, Site } from '../setup/site.ts';

/**
 * Karpenter's provisioner: unschedulable pods and those of nodes that go → NodeClaims, in batches
 * (pkg/controllers/provisioning).
 */
export function provisioner(zones: readonly string[], behaviour: AutoscalerBehaviour): Controller {
  return {
    name: 'provisioner',
    run: (site, signal) => {
      const { cache } = site;
      // A batch that finds a machine not launched yet drops its triggers: each object triggers again when it is checked
      // again.
      const batches = batcher(site, signal, async () => {
        if (isSynced(cache)) await provision(site, zones, behaviour);
      });
      const pods = lookedAtAgain(site, batches.trigger, (key) => isPending(cache.get('Pod', key)));
      const nodes = lookedAtAgain(site, batches.trigger, (name) => isDisrupted(cache.get('Node', name)));
      cache.subscribe('Pod', ({ object }) => pods(keyOf(object)));
      cache.subscribe('Node', ({ object }) => nodes(keyOf(object)));
    },
  };
}

/**
 * How soon a pod or a node that still needs capacity triggers again (provisioning/controller.go). No change of a pool
 * triggers.
 */
const lookAgainSeconds = 10;

/**
 * Triggers at each change of an object that needs capacity, and from the first time on every 10 s as long as it does.
 */
function lookedAtAgain(
  site: Site,
  trigger: (what: string) => void,
  needsCapacity: (key: string) => boolean,
): (key: string) => void {
  const waiting = new Set<string>();
  const look = (key: string): void => {
    if (!needsCapacity(key)) return;
    trigger(key);
    if (waiting.has(key)) return;
    waiting.add(key);
    site.after(lookAgainSeconds, () => {
      waiting.delete(key);
      look(key);
    });
  };
  return look;
}

/** Plans for all pods that need a node now. */
async function provision(site: Site, zones: readonly string[], behaviour: AutoscalerBehaviour): Promise<void> {
  const pods = [...pendingPods(site.cache), ...podsOfDeletedNodes(site)];
  if (pods.length === 0) return;
  const { plans, unplaced } = pack(pods, nodeInfosOf(site.cache), poolOfferings(site.cache, zones, behaviour), (pod) =>
    volumeNeedsOf(pod, site.cache),
  );
  const overLimit = beyondLimits(plans, site.cache);
  for (const plan of plans.filter((one) => !overLimit.includes(one))) await createClaim(site, plan, behaviour);
  await recordFailures(site, [...unplaced, ...overLimit.flatMap((plan) => plan.pods)]);
}

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

function isPending(pod: Pod | undefined): boolean {
  if (pod === undefined || pod.spec.nodeName !== undefined || pod.status?.nominatedNodeName !== undefined) return false;
  return conditionOf(pod, 'PodScheduled')?.reason === 'Unschedulable';
}

const isDisrupted = (node: Node | undefined): boolean =>
  node?.spec?.taints?.some(({ key }) => key === disruptedTaint.key) === true;

/**
 * A node of a command is left out until it is deleted: its replacement is there by then (disruption/queue.go,
 * MarkForDeletion).
 */
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

/** A window in which triggers are gathered. */
interface Window {
  readonly triggers: Set<string>;
  /** Epoch milliseconds. */
  readonly openedAt: number;
  dueAt: number;
}

/** A window closes this long after it was opened, whatever triggers come (BATCH_MAX_DURATION). */
const longestSeconds = 10;
/** How soon a batch is tried again that failed, or whose process is down. */
const batchRetrySeconds = 5;

/**
 * Does the work once nothing new has triggered it for a while; each trigger prolongs a window once
 * (provisioning/batcher.go).
 */
function batcher(
  site: Site,
  signal: AbortSignal,
  work: () => Promise<void>,
): { readonly trigger: (what: string) => void } {
  let window: Window | undefined;
  let tail: Promise<void> = Promise.resolve();
  const close = async (): Promise<void> => {
    if (signal.aborted) return;
    if (!site.running()) return site.after(batchRetrySeconds, () => trigger('again'));
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) return site.failed(error);
      site.after(batchRetrySeconds, () => trigger('again'));
    }
  };
  const trigger = (what: string): void => {
    window ??= { triggers: new Set(), openedAt: site.now(), dueAt: 0 };
    if (window.triggers.has(what)) return;
    window.triggers.add(what);
    const dueAt = Math.min(site.now() + 1000 * site.delay('autoscalerBatch'), window.openedAt + 1000 * longestSeconds);
    window.dueAt = dueAt;
    site.after((dueAt - site.now()) / 1000, () => {
      if (window?.dueAt !== dueAt) return;
      window = undefined;
      tail = tail.then(close);
    });
  };
  return { trigger };
}
