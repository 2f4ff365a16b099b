import type { NodeClaim } from '../kubernetes/autoscaler.ts';
import type { Pod } from '../kubernetes/resources.ts';
import type { Cache } from '../objects/cache.ts';
import { controllerOf } from '../objects/owners.ts';
import { isFinished, isTerminating } from '../objects/pods.ts';
import { instantOf, timestamp } from '../objects/timestamps.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Controller, Site } from '../setup/site.ts';

/** Pod events on a node → `lastPodEventTime` of its claim (pkg/controllers/nodeclaim/podevents). */
export function podEvents(): Controller {
  /** The last stage of each pod, by uid. */
  const stages = new Map<string, string>();
  return reconciler({
    name: 'pod-events',
    watches: { Pod: (pod, cache) => nodeOfEvent(stages, pod, cache) },
    reaction: 'controllerReaction',
    reconcile: async (site, nodeName) => {
      const claim = [...site.cache.list('NodeClaim')].find(({ status }) => status?.nodeName === nodeName);
      if (claim !== undefined && isDue(claim, site)) await setLastPodEvent(site, claim);
      return undefined;
    },
  });
}

/** Events of a node within this time are one (podevents/controller.go, dedupeTimeout). */
const dedupeSeconds = 10;

function isDue({ status }: NodeClaim, site: Site): boolean {
  const last = status?.lastPodEventTime;
  return last === undefined || site.now() >= instantOf(last) + 1000 * dedupeSeconds;
}

async function setLastPodEvent(site: Site, { metadata }: NodeClaim): Promise<void> {
  const value = { status: { lastPodEventTime: timestamp(site.now()) } };
  await site.cluster.patch('NodeClaim', { name: metadata.name }, { type: 'merge', value }, { subresource: 'status' });
}

/**
 * The name of the node whose pod was bound, began to terminate or finished; its disappearance does not count, and
 * DaemonSets' pods do not.
 */
function nodeOfEvent(stages: Map<string, string>, pod: Pod, cache: Cache): readonly string[] {
  const { nodeName } = pod.spec;
  const uid = pod.metadata.uid ?? '';
  if (nodeName === undefined || controllerOf(pod)?.kind === 'DaemonSet') return [];
  const isGone = cache.get('Pod', `${pod.metadata.namespace}/${pod.metadata.name}`)?.metadata.uid !== uid;
  const stage = isTerminating(pod) || isFinished(pod) ? 'ending' : 'bound';
  if (isGone) {
    stages.delete(uid);
    return [];
  }
  if (stages.get(uid) === stage) return [];
  stages.set(uid, stage);
  return [nodeName];
}
