import type { Resource } from '../../cluster/kinds.ts';
import type { Event } from '../../cluster/resources.ts';
import { suffix } from '../objects/names.ts';
import { timestamp } from '../objects/timestamps.ts';
import type { Site } from '../setup/site.ts';

/** Karpenter does not repeat an event about an object within this time (pkg/events/recorder.go). */
const dedupeSeconds = 120;

/** When each recent event may be repeated, epoch milliseconds, by cluster. */
const recentEvents = new WeakMap<object, Map<string, number>>();

/** Creates a core/v1 Event about the object, unless the same one was created recently. No controller reads Events. */
export async function recordEvent(
  site: Pick<Site, 'cluster' | 'cache' | 'now' | 'random'>,
  about: Resource,
  type: Event['type'],
  reason: string,
  message: string,
  repeatAfterSeconds = dedupeSeconds,
): Promise<void> {
  if (isDuplicate(site, `${about.metadata.uid} ${reason} ${message}`, repeatAfterSeconds)) return;
  const { name, namespace = 'default', uid = '' } = about.metadata;
  const at = timestamp(site.now());
  await site.cluster.create({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${suffix(site.random)}${suffix(site.random)}`, namespace },
    involvedObject: { kind: about.kind, name, uid, ...(about.metadata.namespace === undefined ? {} : { namespace }) },
    type,
    reason,
    message,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
    source: { component: 'karpenter' },
  });
}

function isDuplicate({ cache, now }: Pick<Site, 'cache' | 'now'>, event: string, repeatAfterSeconds: number): boolean {
  const repeatableAt = recentEvents.get(cache) ?? new Map<string, number>();
  recentEvents.set(cache, repeatableAt);
  for (const [key, at] of repeatableAt) if (at <= now()) repeatableAt.delete(key);
  if (repeatableAt.has(event)) return true;
  repeatableAt.set(event, now() + 1000 * repeatAfterSeconds);
  return false;
}
