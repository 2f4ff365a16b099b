import type { Resource } from '../../cluster/kinds.ts';
import type { Event } from '../../cluster/resources.ts';
import { suffix } from '../names.ts';
import type { Site } from '../site.ts';
import { timestamp } from '../timestamps.ts';

/** Writes a core/v1 Event about the object: evidence for people, never read by a controller. */
export async function recordEvent(
  site: Pick<Site, 'cluster' | 'now' | 'random'>,
  about: Resource,
  type: Event['type'],
  reason: string,
  message: string,
): Promise<void> {
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
