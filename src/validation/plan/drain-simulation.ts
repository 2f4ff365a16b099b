import type { Cluster } from '../../cluster/cluster.ts';
import { readable } from '../../cluster/readable.ts';
import { chooseForDrain } from '../actions/drain-filter.ts';

/**
 * What stands against draining a node: kubectl's own fatal rules, and the server's dry run of each eviction, in its words. Each pod is
 * asked for by itself, so two pods of one budget may both be let go (facts 3.2).
 */
export async function simulateDrain(cluster: Cluster, node: string): Promise<readonly string[]> {
  const pods = await cluster.list('Pod', { fieldSelector: `spec.nodeName=${node}` });
  const { evict, fatal } = chooseForDrain(pods);
  const refused: string[] = [];
  for (const pod of evict) {
    const eviction = await readable(cluster.evict(pod, { dryRun: true }));
    if (eviction?.outcome === 'refused')
      refused.push(`${pod.namespace}/${pod.name} would not be evicted: ${eviction.cause}`);
  }
  return [...fatal, ...refused];
}
