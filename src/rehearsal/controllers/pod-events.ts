import type { NodeClaim } from '../../cluster/autoscaler.ts';
import type { Pod } from '../../cluster/resources.ts';
import type { Cache } from '../objects/cache.ts';
import { controllerOf } from '../objects/owners.ts';
import { isFinished, isTerminating } from '../objects/pods.ts';
import { instantOf, timestamp } from '../objects/timestamps.ts';
import type { Controller, Site } from '../setup/site.ts';
import { reconciler } from './reconciler.ts';

/** Notes in a claim when a pod last came to its node or went from it (pkg/controllers/nodeclaim/podevents). */
export function podEvents(): Controller {
  const seen = new Map<string, string>();
  return reconciler({
    name: 'pod-events',
    watches: { Pod: (pod, cache) => noteworthy(seen, pod, cache) },
    reaction: 'controllerReaction',
    reconcile: async (site, nodeName) => {
      const claim = [...site.cache.list('NodeClaim')].find(({ status }) => status?.nodeName === nodeName);
      if (claim !== undefined && isNews(claim, site)) await note(site, claim);
      return undefined;
    },
  });
}

/** Events of one node closer together than this count as one. */
const dedupeSeconds = 10;

function isNews({ status }: NodeClaim, site: Site): boolean {
  const last = status?.lastPodEventTime;
  return last === undefined || site.now() >= instantOf(last) + 1000 * dedupeSeconds;
}

async function note(site: Site, { metadata }: NodeClaim): Promise<void> {
  const value = { status: { lastPodEventTime: timestamp(site.now()) } };
  await site.cluster.patch('NodeClaim', { name: metadata.name }, { type: 'merge', value }, { subresource: 'status' });
}

/** A pod was bound, began to go, finished, or is gone; those of DaemonSets do not count. */
function noteworthy(seen: Map<string, string>, pod: Pod, cache: Cache): readonly string[] {
  const { nodeName } = pod.spec;
  const uid = pod.metadata.uid ?? '';
  if (nodeName === undefined || controllerOf(pod)?.kind === 'DaemonSet') return [];
  const isGone = cache.get('Pod', `${pod.metadata.namespace}/${pod.metadata.name}`)?.metadata.uid !== uid;
  const stage = isGone ? 'gone' : isTerminating(pod) || isFinished(pod) ? 'going' : 'bound';
  if (seen.get(uid) === stage) return [];
  if (isGone) seen.delete(uid);
  else seen.set(uid, stage);
  return [nodeName];
}
