import type { Pod } from '../kubernetes/resources.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import { isTrue } from '../objects/conditions.ts';
import { isTerminating } from '../objects/pods.ts';
import { loop } from '../reconciling/loop.ts';
import { isOutOfService } from '../scheduling/taints.ts';
import type { Controller } from '../setup/site.ts';
import { markDisrupted } from './disruption-target.ts';

/**
 * Deletes the pods of missing nodes, after a quarantine, and those that terminate on nodes out of service
 * (pkg/controller/podgc/gc_controller.go).
 */
export function podGc(): Controller {
  /** When each missing node was first found missing, epoch milliseconds. */
  const missingSince = new Map<string, number>();
  return loop({
    name: 'pod-gc',
    period: 'podGc',
    pass: async (site) => {
      const gone = [...site.cache.namesOfNodesWithPods()].filter((name) => site.cache.get('Node', name) === undefined);
      const orphans =
        gone.length === 0 ? [] : [...site.cache.list('Pod')].filter((pod) => gone.includes(nodeNameOf(pod)));
      for (const pod of terminatingOutOfService(site.cache))
        await site.cluster.delete('Pod', placeOf(keyOf(pod)), { uid: pod.metadata.uid ?? '', gracePeriodSeconds: 0 });
      updateMissing(missingSince, new Set(orphans.map(nodeNameOf)), site.now());
      const quarantinedFrom = site.now() - 1000 * site.delay('podGcQuarantine');
      for (const pod of orphans.filter((one) => (missingSince.get(nodeNameOf(one)) ?? site.now()) <= quarantinedFrom)) {
        const message = 'PodGC: node no longer exists';
        await markDisrupted(site, pod, { reason: 'DeletionByPodGC', message, phase: 'Failed' });
        await site.cluster.delete('Pod', placeOf(keyOf(pod)), { uid: pod.metadata.uid ?? '', gracePeriodSeconds: 0 });
      }
    },
  });
}

/**
 * gcTerminating; https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/#non-graceful-node-shutdown.
 */
function terminatingOutOfService(cache: Cache): readonly Pod[] {
  const nodes = [...cache.list('Node')].filter((node) => isOutOfService(node) && !isTrue(node, 'Ready'));
  return nodes.flatMap(({ metadata }) => [...cache.podsOn(metadata.name)].filter(isTerminating));
}

const nodeNameOf = ({ spec }: Pod): string => spec.nodeName ?? '';

function updateMissing(missingSince: Map<string, number>, missing: ReadonlySet<string>, at: number): void {
  for (const name of [...missingSince.keys()].filter((known) => !missing.has(known))) missingSince.delete(name);
  for (const name of missing) missingSince.set(name, missingSince.get(name) ?? at);
}
