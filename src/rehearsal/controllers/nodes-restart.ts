import type { Machines } from '../machines/machines.ts';
import type { Controller } from '../setup/site.ts';
import { reconciler } from './reconciler.ts';

/** What must not be: a new pool makes the cluster take away the first node that was there, and put another in its place. */
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
