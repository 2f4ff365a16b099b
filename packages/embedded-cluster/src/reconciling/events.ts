import type { Resource } from '../kubernetes/kinds.ts';
import type { Event } from '../kubernetes/resources.ts';
import { timestamp } from '../objects/timestamps.ts';
import type { Site } from '../setup/site.ts';

/** Karpenter does not repeat an event about an object within this time (pkg/events/recorder.go). */
const dedupeSeconds = 120;

/** When each recent event may be repeated, epoch milliseconds, by cluster. */
const recentEvents = new WeakMap<object, Map<string, number>>();

type Recording = Pick<Site, 'cluster' | 'cache' | 'now'>;

/** Which events count as the same: by default all of one reason about one object, whatever they say. */
interface Repetition {
  readonly afterSeconds?: number;
  readonly as?: string;
}

/** Creates a core/v1 Event about the object, unless the same one was created recently. No controller reads Events. */
export async function recordEvent(
  site: Recording,
  about: Resource,
  type: Event['type'],
  reason: string,
  message: string,
  { afterSeconds = dedupeSeconds, as = '' }: Repetition = {},
): Promise<void> {
  if (!isDuplicate(site, `${about.metadata.uid} ${reason} ${as}`, afterSeconds))
    await createEvent(site, about, type, reason, message);
}

/** Creates a core/v1 Event about the object. */
export async function createEvent(
  site: Recording,
  about: Resource,
  type: Event['type'],
  reason: string,
  message: string,
  component = 'karpenter',
): Promise<void> {
  const { name, namespace = 'default', uid = '' } = about.metadata;
  const at = timestamp(site.now());
  await site.cluster.create({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${nextSuffix(site)}`, namespace },
    involvedObject: { kind: about.kind, name, uid, ...(about.metadata.namespace === undefined ? {} : { namespace }) },
    type,
    reason,
    message,
    firstTimestamp: at,
    lastTimestamp: at,
    count: 1,
    source: { component },
  });
}

/** How many Events there were so far, by cluster. */
const counts = new WeakMap<object, number>();

/**
 * As client-go names Events: nanoseconds since 1970, in hexadecimal; the count stands for those below a millisecond.
 */
function nextSuffix({ cache, now }: Pick<Site, 'cache' | 'now'>): string {
  const count = (counts.get(cache) ?? 0) + 1;
  counts.set(cache, count);
  return (BigInt(Math.floor(now())) * 1_000_000n + BigInt(count)).toString(16);
}

function isDuplicate({ cache, now }: Pick<Site, 'cache' | 'now'>, event: string, repeatAfterSeconds: number): boolean {
  const repeatableAt = recentEvents.get(cache) ?? new Map<string, number>();
  recentEvents.set(cache, repeatableAt);
  for (const [key, at] of repeatableAt) if (at <= now()) repeatableAt.delete(key);
  if (repeatableAt.has(event)) return true;
  repeatableAt.set(event, now() + 1000 * repeatAfterSeconds);
  return false;
}
