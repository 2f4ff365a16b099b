import { keyOf, placeOf } from '../objects/cache.ts';
import { instantOf } from '../objects/timestamps.ts';
import { loop } from '../reconciling/loop.ts';

/** Deletes Events an hour old (kube-apiserver: --event-ttl 1h); the real server uses an etcd lease. */
export const eventExpiry = loop({
  name: 'event-expiry',
  period: 'eventExpiry',
  pass: async (site) => {
    const oldestAt = site.now() - 1000 * eventTtlSeconds;
    for (const event of await site.cluster.list('Event')) {
      if (instantOf(event.metadata.creationTimestamp ?? '') > oldestAt) continue;
      await site.cluster.delete('Event', placeOf(keyOf(event)));
    }
  },
});

const eventTtlSeconds = 3600;
