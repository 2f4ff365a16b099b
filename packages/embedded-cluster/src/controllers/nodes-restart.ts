import type { Machines } from '../machines/machines.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Controller } from '../setup/site.ts';

/** For a defect: a new NodePool makes the cluster terminate its oldest instance and launch another one like it. */
export function nodesRestart(machines: Pick<Machines, 'instances' | 'terminate' | 'launch'>): Controller {
  return reconciler({
    name: 'nodes-restart',
    watches: { NodePool: (pool) => [pool.metadata.name] },
    reaction: 'autoscalerReaction',
    reconcile: async (site, name) => {
      const [oldest] = machines.instances();
      if (oldest?.terminateAskedAt !== undefined || oldest === undefined) return undefined;
      if (site.cache.get('NodePool', name) === undefined) return undefined;
      machines.terminate(oldest.id);
      const { type, zone, capacityType, labels, taints, tags } = oldest;
      machines.launch({ type, zone, capacityType, labels, taints, tags });
      await site.cluster.delete('Node', { name: oldest.nodeName });
      return undefined;
    },
  });
}
