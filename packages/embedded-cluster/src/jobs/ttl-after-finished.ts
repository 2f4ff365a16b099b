import type { Job } from '../kubernetes/batch.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { instantOf } from '../objects/timestamps.ts';
import { reconciler } from '../reconciling/reconciler.ts';

/** Deletes Jobs `ttlSecondsAfterFinished` after their end, with their pods (pkg/controller/ttlafterfinished). */
export const ttlAfterFinished = reconciler({
  name: 'ttl-after-finished',
  watches: { Job: (job) => (expiresAt(job) === undefined ? [] : [keyOf(job)]) },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const job = site.cache.get('Job', key);
    const at = job && expiresAt(job);
    if (job === undefined || at === undefined) return undefined;
    if (at > site.now()) return (at - site.now()) / 1000;
    const options = { uid: job.metadata.uid ?? '', propagationPolicy: 'Foreground' } as const;
    await site.cluster.delete('Job', placeOf(key), options);
    return undefined;
  },
});

/** Epoch milliseconds; undefined while it runs, and once it is deleted. */
function expiresAt({ metadata, spec, status }: Job): number | undefined {
  const over = status?.conditions?.find((one) => one.status === 'True' && /^(Complete|Failed)$/.test(one.type));
  const { ttlSecondsAfterFinished: seconds } = spec;
  if (seconds === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  return over?.lastTransitionTime === undefined ? undefined : instantOf(over.lastTransitionTime) + 1000 * seconds;
}
