import type { Pod, ReplicaSet } from '../../cluster/resources.ts';
import { keyOf, placeOf } from '../cache.ts';
import { suffix } from '../names.ts';
import { controlledBy, controllerOf, keysOfController } from '../owners.ts';
import { isActive, isPodReady } from '../pods.ts';
import type { Site } from '../site.ts';
import { reconciler } from './reconciler.ts';

/** ReplicaSet → pods (apps/v1, pkg/controller/replicaset). A pod on its way out is replaced at once. */
export const replicaSet = reconciler({
  name: 'replica-set',
  watches: { ReplicaSet: (object) => [keyOf(object)], Pod: keysOfController('ReplicaSet') },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const set = site.cache.get('ReplicaSet', key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    const pods = podsOf(site, set).filter(isActive);
    const missing = (set.spec.replicas ?? 1) - pods.length;
    for (let count = 0; count < missing; count += 1) await site.cluster.create(podOf(set, site.random));
    for (const pod of missing < 0 ? deletionOrder(pods, site).slice(0, -missing) : []) {
      await site.cluster.delete('Pod', placeOf(keyOf(pod)), { uid: pod.metadata.uid ?? '' });
    }
    const ready = pods.filter(isPodReady).length;
    await site.cluster.patch(
      'ReplicaSet',
      placeOf(key),
      {
        type: 'merge',
        value: {
          status: {
            replicas: pods.length,
            readyReplicas: ready,
            availableReplicas: ready,
            observedGeneration: set.metadata.generation ?? 1,
          },
        },
      },
      { subresource: 'status' },
    );
    return undefined;
  },
});

function podsOf(site: Site, { metadata }: ReplicaSet): readonly Pod[] {
  return [...site.cache.ownedBy(metadata.uid)].filter(
    (object): object is Pod => object.kind === 'Pod' && controllerOf(object)?.uid === metadata.uid,
  );
}

function podOf(set: ReplicaSet, random: () => number): Pod {
  const { template } = set.spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...template.metadata,
      name: `${set.metadata.name}-${suffix(random)}`,
      ...(set.metadata.namespace === undefined ? {} : { namespace: set.metadata.namespace }),
      ownerReferences: [controlledBy(set)],
    },
    spec: template.spec,
  };
}

/**
 * Who goes first when there are too many: without a node, pending, not ready, with more siblings on its node, ready for
 * a shorter time, newer (controller_utils.go, ActivePodsWithRanks).
 */
export function deletionOrder(pods: readonly Pod[], site: Pick<Site, 'cache'>): readonly Pod[] {
  const keys = new Map(pods.map((pod) => [pod, ranksOf(pod, site)]));
  return [...pods].sort((a, b) => {
    const left = keys.get(a) ?? [];
    const right = keys.get(b) ?? [];
    const place = left.findIndex((rank, index) => rank !== right[index]);
    return place === -1 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
  });
}

function ranksOf(pod: Pod, { cache }: Pick<Site, 'cache'>): readonly number[] {
  const { nodeName } = pod.spec;
  const owner = controllerOf(pod)?.uid;
  const siblings = nodeName === undefined ? [] : [...cache.podsOn(nodeName)];
  const readySince = pod.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime;
  return [
    nodeName === undefined ? 0 : 1,
    pod.status?.phase === 'Running' ? 1 : 0,
    isPodReady(pod) ? 1 : 0,
    -siblings.filter((sibling) => controllerOf(sibling)?.uid === owner && isActive(sibling)).length,
    -Date.parse(readySince ?? '1970-01-01T00:00:00Z'),
    -Date.parse(pod.metadata.creationTimestamp ?? '1970-01-01T00:00:00Z'),
  ];
}
