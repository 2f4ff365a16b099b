import type { Pod } from '../../cluster/resources.ts';
import { keyOf, placeOf } from '../cache.ts';
import type { Controller } from '../site.ts';
import { loop } from './loop.ts';

/** Removes the pods of nodes that are gone, after a quarantine (pkg/controller/podgc/gc_controller.go). */
export function podGc(): Controller {
  /** Nodes that were found missing, and when for the first time. */
  const missingSince = new Map<string, number>();
  return loop({
    name: 'pod-gc',
    period: 'podGc',
    pass: async (site) => {
      const now = site.now();
      const orphans = [...site.cache.list('Pod')].filter(
        ({ spec }: Pod) => spec.nodeName !== undefined && site.cache.get('Node', spec.nodeName) === undefined,
      );
      const missing = new Set(orphans.map(({ spec }) => spec.nodeName ?? ''));
      for (const name of missingSince.keys()) if (!missing.has(name)) missingSince.delete(name);
      for (const name of missing) if (!missingSince.has(name)) missingSince.set(name, now);
      const quarantineMs = 1000 * site.delay('podGcQuarantine');
      for (const pod of orphans) {
        if (now < (missingSince.get(pod.spec.nodeName ?? '') ?? now) + quarantineMs) continue;
        await site.cluster.delete('Pod', placeOf(keyOf(pod)), { uid: pod.metadata.uid ?? '', gracePeriodSeconds: 0 });
      }
    },
  });
}
