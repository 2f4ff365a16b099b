import type { Cluster } from '../../cluster/cluster.ts';
import { condition, isReady } from '../../cluster/pods.ts';
import { readable } from '../../cluster/readable.ts';
import type { Pod } from '../../cluster/resources.ts';
import { readNow } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';
import { evictionObstacles } from './budget-obstacles.ts';
import { containerObstacles } from './container-obstacles.ts';
import type { Obstacle, Stuck } from './obstacle.ts';
import { poolObstacles, replacementObstacles } from './pool-obstacles.ts';
import { volumeObstacles } from './volume-obstacles.ts';

/**
 * What keeps the application's pods from being ready, or where pods were to leave their node (`evicts`) from
 * leaving it, by the objects of this moment; empty if nothing in them does so for ever.
 */
export async function readObstacles(
  cluster: Cluster,
  settings: Settings,
  evicts = false,
): Promise<readonly Obstacle[]> {
  const stuck = await readStuck(cluster, settings, evicts);
  return stuck === undefined ? [] : obstacles(stuck);
}

/** What comes first is the reason of what follows. */
export function obstacles(stuck: Stuck): readonly Obstacle[] {
  const waiting = stuck.pods.filter((pod) => pod.metadata.deletionTimestamp === undefined && !isReady(pod));
  const homeless = waiting.filter(isUnscheduled);
  const found = [
    ...(homeless.length > 0 ? poolObstacles(stuck) : []),
    ...volumeObstacles(stuck, waiting),
    ...containerObstacles(
      stuck,
      waiting.filter((pod) => !homeless.includes(pod)),
    ),
  ];
  if (found.length > 0) return found;
  const ofReplacements = replacementObstacles(stuck);
  return ofReplacements.length > 0 || !stuck.evicts ? ofReplacements : evictionObstacles(stuck);
}

const isUnscheduled = (pod: Pod): boolean => condition(pod, 'PodScheduled')?.status === 'False';

async function readStuck(cluster: Cluster, settings: Settings, evicts: boolean): Promise<Stuck | undefined> {
  const { namespace, nodePool } = settings;
  const [now, nodes, pools, claims, volumeClaims, volumes] = await Promise.all([
    readNow(cluster, settings),
    cluster.list('Node'),
    readable(cluster.list('NodePool')),
    readable(cluster.list('NodeClaim')),
    readable(cluster.list('PersistentVolumeClaim', { namespace })),
    readable(cluster.list('PersistentVolume')),
  ]);
  const { workload, pods, budgets } = now;
  if (workload === undefined) return undefined;
  const all = pools ?? [];
  return {
    workload,
    pods,
    budgets,
    nodes,
    pools: [
      ...all.filter(({ metadata }) => metadata.name === nodePool.name),
      ...all.filter(({ metadata }) => metadata.name !== nodePool.name),
    ],
    claims: claims ?? [],
    volumeClaims: volumeClaims ?? [],
    volumes: volumes ?? [],
    evicts,
  };
}
