import type { Resource } from '../../cluster/kinds.ts';
import type { Event } from '../../cluster/resources.ts';
import { suffix } from '../objects/names.ts';
import { timestamp } from '../objects/timestamps.ts';
import type { Site } from '../setup/site.ts';

/** Karpenter says the same of the same object once in this time (pkg/events/recorder.go). */
const dedupeSeconds = 120;

const saidBy = new WeakMap<object, Map<string, number>>();

/** Writes a core/v1 Event about the object, unless it was said lately: evidence for people, never read by a controller. */
export async function recordEvent(
  site: Pick<Site, 'cluster' | 'cache' | 'now' | 'random'>,
  about: Resource,
  type: Event['type'],
  reason: string,
  message: string,
  onceInSeconds = dedupeSeconds,
): Promise<void> {
  if (!isNews(site, `${about.metadata.uid} ${reason} ${message}`, onceInSeconds)) return;
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

function isNews({ cache, now }: Pick<Site, 'cache' | 'now'>, said: string, onceInSeconds: number): boolean {
  const forgetAt = saidBy.get(cache) ?? new Map<string, number>();
  saidBy.set(cache, forgetAt);
  for (const [key, at] of forgetAt) if (at <= now()) forgetAt.delete(key);
  if (forgetAt.has(said)) return false;
  forgetAt.set(said, now() + 1000 * onceInSeconds);
  return true;
}
