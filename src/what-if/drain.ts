import type { EmbeddedCluster, Kinds } from '@holdfast/embedded-cluster';
import { keyOf } from '../copy/copy.ts';
import type { Followed } from './follow-pods.ts';
import { isOfNode } from './workloads-of.ts';

type Pod = Kinds['Pod'];

/** kubectl drain asks again after so long (k8s.io/kubectl, drain.go, evictPods). */
const againSeconds = 5;

/** What keeps evictions from being granted: the words of the API server by the pod. */
export type Refusals = Map<string, string>;

/**
 * `kubectl drain --ignore-daemonsets --delete-emptydir-data --force` of these nodes at once: each is cordoned, each pod
 * is evicted, again and again until it may be, and waited for. Resolves when no such pod is left on them.
 */
export async function drain(
  cluster: EmbeddedCluster,
  followed: Followed,
  nodes: readonly string[],
  refusals: Refusals,
  signal: AbortSignal,
): Promise<void> {
  const client = cluster.kubernetes('what-if');
  for (const name of nodes)
    await client.patch('Node', { name }, { type: 'merge', value: { spec: { unschedulable: true } } });
  const wanted = [...followed.pods.values()].filter((pod) => nodes.includes(pod.spec.nodeName ?? '') && !isOfNode(pod));
  await Promise.all(wanted.map((pod) => evicted(cluster, followed, pod, refusals, signal)));
}

async function evicted(
  cluster: EmbeddedCluster,
  followed: Followed,
  pod: Pod,
  refusals: Refusals,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = cluster;
  const { namespace = '', name, uid = '' } = pod.metadata;
  const isThere = () => followed.pods.get(keyOf(pod))?.metadata.uid === uid;
  while (isThere() && !signal.aborted) {
    const answer = await cluster.kubernetes('what-if').evict({ namespace, name, uid });
    if (answer.outcome !== 'refused') break;
    refusals.set(keyOf(pod), answer.cause);
    await clock.sleep(againSeconds, signal).catch(() => undefined);
  }
  if (!signal.aborted) refusals.delete(keyOf(pod));
  while (isThere() && !signal.aborted) await clock.sleep(1, signal).catch(() => undefined);
}
