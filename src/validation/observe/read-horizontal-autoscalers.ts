import type { Cluster } from '../../cluster/cluster.ts';
import { readable } from '../../cluster/readable.ts';
import type { HorizontalPodAutoscaler } from '../../cluster/resources.ts';
import type { Settings } from '../settings.ts';
import { scales } from './owner-limits.ts';

/**
 * The HorizontalPodAutoscalers of the application; none if the caller may not list them or the API has no such kind.
 */
export async function readHorizontalAutoscalers(
  cluster: Pick<Cluster, 'list'>,
  { namespace, application: name, applicationKind: kind }: Settings,
): Promise<readonly HorizontalPodAutoscaler[]> {
  const found = (await readable(cluster.list('HorizontalPodAutoscaler', { namespace }))) ?? [];
  return found.filter(({ spec }) => scales(spec.scaleTargetRef, { kind, metadata: { name } }));
}
