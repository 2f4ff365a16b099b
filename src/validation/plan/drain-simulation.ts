import type { Cluster } from '../../cluster/cluster.ts';
import { readable } from '../../cluster/readable.ts';
import { chooseForDrain } from '../actions/drain-filter.ts';

/**
 * Why a node could not be drained: kubectl's fatal rules, and the refusals of a dry run of each eviction, in the server's words. Each
 * eviction is tried on its own, so two pods of one budget may both pass (docs/facts/kubernetes.md, "Evictions and budgets").
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
