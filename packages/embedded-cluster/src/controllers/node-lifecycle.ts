import type { Lease, Node } from '../kubernetes/resources.ts';
import { keyOf } from '../objects/cache.ts';
import { conditionOf, withConditions } from '../objects/conditions.ts';
import { isPodReady } from '../objects/pods.ts';
import { timestamp } from '../objects/timestamps.ts';
import { loop } from '../reconciling/loop.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { notReadyTaint, unreachableTaint, unschedulableTaint } from '../scheduling/taints.ts';
import type { Site } from '../setup/site.ts';
import { leaseNamespace } from './kubelet-lease.ts';

/**
 * Sets a node's conditions to Unknown when its Lease was not renewed for the grace period
 * (node_lifecycle_controller.go).
 */
export const nodeMonitor = loop({
  name: 'node-monitor',
  period: 'nodeMonitor',
  pass: async (site) => {
    const renewedAt = await renewals(site);
    const graceMs = 1000 * site.delay('nodeMonitorGrace');
    for (const node of site.cache.list('Node')) {
      const lastAt = renewedAt.get(node.metadata.name);
      if (lastAt === undefined || site.now() <= lastAt + graceMs) continue;
      if (conditionOf(node, 'Ready')?.status !== 'Unknown') await markUnknown(site, node);
    }
  },
});

/**
 * Conditions → taints: a node that is not Ready gets no new pods, and its pods are evicted when their toleration is
 * over. The annotation of the controller `ttl` goes with them.
 */
export const nodeTaints = reconciler({
  name: 'node-taints',
  watches: { Node: (node) => [keyOf(node)] },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const node = site.cache.get('Node', key);
    if (node === undefined) return undefined;
    const taints = taintsFor(node, site.now());
    const annotations = node.metadata.annotations?.[ttlAnnotation] === undefined ? { [ttlAnnotation]: '0' } : undefined;
    const value = { ...(annotations && { metadata: { annotations } }), ...(taints && { spec: { taints } }) };
    if (Object.keys(value).length > 0) await site.cluster.patch('Node', { name: key }, { type: 'merge', value });
    if (conditionOf(node, 'Ready')?.status !== 'True') await markPodsNotReady(site, key);
    return undefined;
  },
});

/** How long a kubelet may keep Secrets, in seconds, in a cluster of up to 100 nodes (pkg/controller/ttl). */
const ttlAnnotation = 'node.alpha.kubernetes.io/ttl';

/** When each kubelet renewed its Lease, epoch milliseconds, by node name. */
async function renewals(site: Site): Promise<ReadonlyMap<string, number>> {
  const leases = await site.cluster.list('Lease');
  const nodeLeases = leases.filter(({ metadata }: Lease) => metadata.namespace === leaseNamespace);
  return new Map(nodeLeases.map(({ metadata, spec }) => [metadata.name, Date.parse(spec.renewTime ?? '')]));
}

async function markUnknown(site: Site, node: Node): Promise<void> {
  const why = { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' };
  const stated = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map(
    (type) => ({ type, status: 'Unknown', ...why }) as const,
  );
  const value = { status: { conditions: withConditions(node.status?.conditions, stated, site.now()) } };
  await site.cluster.patch('Node', { name: node.metadata.name }, { type: 'merge', value }, { subresource: 'status' });
}

/** The taints that this controller manages. */
const managed = [notReadyTaint, unreachableTaint, unschedulableTaint];

/**
 * The taints that the node's conditions and its cordon require: a condition that it does not have requires none.
 * Undefined if it has them already.
 */
export function taintsFor(node: Node, at: number): NonNullable<Node['spec']>['taints'] | undefined {
  const before = node.spec?.taints ?? [];
  const ready = conditionOf(node, 'Ready')?.status ?? 'True';
  const key = ready === 'True' ? undefined : ready === 'Unknown' ? unreachableTaint : notReadyTaint;
  const wanted = [
    ...(key === undefined ? [] : [{ key, effect: 'NoSchedule' } as const, { key, effect: 'NoExecute' } as const]),
    ...(node.spec?.unschedulable ? [{ key: unschedulableTaint, effect: 'NoSchedule' } as const] : []),
  ];
  const isPresent = (taint: (typeof wanted)[number]) =>
    before.some((other) => other.key === taint.key && other.effect === taint.effect);
  const present = before.filter((taint) => managed.includes(taint.key));
  if (present.length === wanted.length && wanted.every(isPresent)) return undefined;
  const kept = before.filter(
    (taint) =>
      !managed.includes(taint.key) || wanted.some((one) => one.key === taint.key && one.effect === taint.effect),
  );
  const added = wanted.filter((taint) => !isPresent(taint));
  return [...kept, ...added.map((taint) => ({ ...taint, timeAdded: timestamp(at) }))];
}

/** So that its endpoints are removed at once (controller/util/node, MarkPodsNotReady). */
async function markPodsNotReady(site: Site, nodeName: string): Promise<void> {
  for (const pod of site.cache.podsOn(nodeName)) {
    if (!isPodReady(pod)) continue;
    const stated = [{ type: 'Ready', status: 'False', reason: 'NodeNotReady' }] as const;
    const conditions = withConditions(pod.status?.conditions, stated, site.now());
    const { name, namespace = '' } = pod.metadata;
    await site.cluster.patch(
      'Pod',
      { name, namespace },
      { type: 'merge', value: { status: { conditions } } },
      { subresource: 'status' },
    );
  }
}
