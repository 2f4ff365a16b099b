import type { Cluster } from '../../cluster/cluster.ts';
import type { Deployment } from '../../cluster/resources.ts';
import { manifests } from '../manifests/manifests.ts';
import { readSnapshot } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';
import { type Circumstances, circumstancesOf } from './circumstances.ts';

/** Reads what predictions depend on. If there is no application yet, it is taken as phase 3 will apply it. */
export async function readCircumstances(cluster: Cluster, settings: Settings): Promise<Circumstances> {
  const { namespace, selector } = settings.autoscaler;
  const [before, autoscaler] = await Promise.all([
    readSnapshot(cluster, settings),
    cluster.list('Pod', { namespace, labelSelector: selector }),
  ]);
  const objects = { before, autoscaler };
  if (before.deployment !== undefined) return circumstancesOf(objects);
  const planned = manifests(settings).find((resource): resource is Deployment => resource.kind === 'Deployment');
  return whenApplied(circumstancesOf({ ...objects, before: { ...before, deployment: planned } }), settings);
}

/** The circumstances after phase 3 if no pod runs yet: hardened manifests spread two replicas over two nodes, plain ones may share one. */
export function whenApplied(now: Circumstances, { manifests: profile }: Pick<Settings, 'manifests'>): Circumstances {
  const applicationNodes = profile === 'hardened' ? 2 : 1;
  return { ...now, applicationNodes, poolNodes: Math.max(now.poolNodes, applicationNodes) };
}
