import type { PodIdentity } from '../../cluster/cluster.ts';
import { poll } from '../../cluster/poll.ts';
import { retryRead } from '../../cluster/retry-read.ts';
import { OperationError } from '../../host/errors.ts';
import type { Site } from '../site.ts';

/** kubectl's EvictErrorRetryDelay (pkg/drain/drain.go). */
export const evictionRetrySeconds = 5;
/**
 * Refused by a budget (429), or by a namespace that is being deleted (403): kubectl retries both
 * (docs/facts/kubernetes.md, "Evictions and budgets").
 */
const retriedStatuses = new Set([429, 403]);
/**
 * kubectl waits forever; a run has to end. Twice the grace period of an ingress controller (300 s,
 * docs/facts/ingress-nginx.md, "Defaults of its chart and manifests").
 */
const limitSeconds = 600;

/**
 * Evicts all pods at once and waits until they are gone. Rejects with an `OperationError` that names the pods that are
 * left, and why.
 */
export async function evictAll(
  site: Site,
  node: string,
  pods: readonly PodIdentity[],
  signal: AbortSignal,
): Promise<void> {
  const endsAt = site.host.clock.monotonicSeconds() + limitSeconds;
  const evictions = pods.map((pod) => evictOne(site, node, pod, endsAt, signal));
  const errors = (await Promise.allSettled(evictions)).flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  signal.throwIfAborted();
  if (errors.length === 0) return;
  throw new OperationError({
    tried: 'Draining',
    on: `Node ${node}`,
    reason: errors.map((error: unknown) => (error instanceof Error ? error.message : String(error))).join('; '),
  });
}

async function evictOne(
  site: Site,
  node: string,
  pod: PodIdentity,
  endsAt: number,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = site.host;
  const secondsLeft = () => endsAt - clock.monotonicSeconds();
  let eviction = await site.cluster.evict(pod);
  while (eviction.outcome === 'refused') {
    if (!retriedStatuses.has(eviction.status) || secondsLeft() <= 0)
      throw new OperationError({ tried: 'Evicting', on: `pod ${pod.namespace}/${pod.name}`, reason: eviction.cause });
    await clock.sleep(evictionRetrySeconds, signal);
    // Compares the uid, because kubectl's retry by name can evict a new pod of that name on another node
    // (kubernetes#138229).
    if (!(await retryRead({ site, signal }, secondsLeft(), () => isThere(site, node, pod)))) return;
    eviction = await site.cluster.evict(pod);
  }
  if (await poll({ site, signal }, secondsLeft(), async () => !(await isThere(site, node, pod)))) return;
  throw new OperationError({
    tried: 'Waiting for the end of',
    on: `pod ${pod.namespace}/${pod.name}`,
    reason: `still there after ${limitSeconds} s`,
  });
}

async function isThere(site: Site, node: string, { namespace, name, uid }: PodIdentity): Promise<boolean> {
  const pod = await site.cluster.get('Pod', { namespace, name });
  return pod !== undefined && pod.metadata.uid === uid && pod.spec.nodeName === node;
}
