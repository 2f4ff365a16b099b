import type { Pod } from '../../cluster/resources.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { conditionOf, withConditions } from '../objects/conditions.ts';
import { isFinished, isTerminating } from '../objects/pods.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { type NodeInfo, nodeInfoOf } from '../scheduling/node-info.ts';
import { schedule } from '../scheduling/schedule.ts';
import type { Controller, Site } from '../setup/site.ts';

/**
 * Pod → node (kube-scheduler): taints, node selection, resources, topology spread, inter-pod affinity. `packs`: it scores nodes
 * as MostAllocated does, and replicas without a constraint are not spread.
 */
export function scheduler({ packs }: { readonly packs: boolean }): Controller {
  /** When each unschedulable pod may be tried again, by key, epoch milliseconds. */
  const retryAt = new Map<string, number>();
  /** Some pod has anti-affinity over domains of several nodes: from then on a decision needs all nodes. */
  let isDomainRepelled = false;
  return reconciler({
    name: 'scheduler',
    watches: {
      Pod: (pod, cache) => {
        isDomainRepelled ||= repelsDomain(pod);
        return mayMakeRoom(pod) ? [...cache.podsOn('')].map(keyOf) : isWaiting(pod) ? [keyOf(pod)] : [];
      },
      Node: (_node, cache) => [...cache.podsOn('')].map(keyOf),
    },
    reaction: 'scheduling',
    reconcile: async (site, key) => {
      const pod = site.cache.get('Pod', key);
      if (pod === undefined || !isWaiting(pod)) return undefined;
      const backOffSeconds = ((retryAt.get(key) ?? 0) - site.now()) / 1000;
      if (backOffSeconds > 0) return backOffSeconds;
      const names = [...site.cache.list('Node')].map(({ metadata }) => metadata.name);
      const nodeInfo = (name: string) => site.cache.ofNode(name, nodeInfoOf);
      const decision = schedule(pod, { names, nodeInfo, isDomainRepelled }, site.random, packs);
      retryAt.delete(key);
      if ('node' in decision) await bind(site, pod, decision.node);
      else {
        retryAt.set(key, site.now() + 1000 * site.delay('schedulingRetry'));
        await markUnschedulable(site, pod, decision.message);
      }
      return undefined;
    },
  });
}

/** Pods of another scheduler, and pods with scheduling gates, are left alone. */
function isWaiting(pod: Pod): boolean {
  const { nodeName, schedulerName = ownName, schedulingGates = [] } = pod.spec;
  if (nodeName !== undefined || isTerminating(pod) || isFinished(pod)) return false;
  return schedulerName === ownName && schedulingGates.length === 0;
}

const ownName = 'default-scheduler';

/** Whether it has anti-affinity over domains of more than one node. */
function repelsDomain({ spec }: Pod): boolean {
  const terms = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.some(({ topologyKey }) => topologyKey !== 'kubernetes.io/hostname');
}

const mayMakeRoom = (pod: Pod): boolean => pod.spec.nodeName !== undefined && (isTerminating(pod) || isFinished(pod));

/** The API server sets the condition PodScheduled with the binding. */
async function bind(site: Site, pod: Pod, node: NodeInfo): Promise<void> {
  await site.cluster.patch('Pod', placeOf(keyOf(pod)), { type: 'merge', value: { spec: { nodeName: node.name } } });
}

async function markUnschedulable(site: Site, pod: Pod, message: string): Promise<void> {
  if (conditionOf(pod, 'PodScheduled')?.message === message) return;
  const conditions = withConditions(
    pod.status?.conditions,
    [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
    site.now(),
  );
  await site.cluster.patch(
    'Pod',
    placeOf(keyOf(pod)),
    { type: 'merge', value: { status: { phase: 'Pending', conditions } } },
    { subresource: 'status' },
  );
}
