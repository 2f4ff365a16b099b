import { type Instance, instanceIdOf, instanceState } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import { keyOf } from '../objects/cache.ts';
import { isTrue } from '../objects/conditions.ts';
import { withDeprecated } from '../objects/deprecated-labels.ts';
import { loop } from '../reconciling/loop.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { uninitializedTaint, withoutTaint } from '../scheduling/taints.ts';
import type { Controller } from '../setup/site.ts';

type Instances = Pick<Machines, 'instance'>;

/**
 * A new Node gets the labels of its instance and loses the uninitialized taint (cloud-provider, node_controller.go).
 */
export function cloudNode(instances: Instances): Controller {
  return reconciler({
    name: 'cloud-node',
    watches: {
      Node: (node) => (node.spec?.taints?.some(({ key }) => key === uninitializedTaint) ? [keyOf(node)] : []),
    },
    reaction: 'cloudNodeReaction',
    reconcile: async (site, key) => {
      const node = site.cache.get('Node', key);
      const instance = instances.instance(instanceIdOf(node?.spec?.providerID ?? ''));
      if (node === undefined || instance === undefined) return undefined;
      const taints = withoutTaint(node.spec?.taints ?? [], uninitializedTaint);
      const value = { metadata: { labels: labelsOf(instance) }, spec: { taints } };
      await site.cluster.patch('Node', { name: key }, { type: 'merge', value });
      return undefined;
    },
  });
}

function labelsOf({ type, zone, region }: Instance): Readonly<Record<string, string>> {
  return withDeprecated({
    'node.kubernetes.io/instance-type': type,
    'topology.kubernetes.io/zone': zone,
    'topology.kubernetes.io/region': region,
  });
}

/** Deletes Nodes that are not Ready and whose instance is terminated (cloud-provider, node_lifecycle_controller.go). */
export function cloudNodeLifecycle(instances: Instances): Controller {
  return loop({
    name: 'cloud-node-lifecycle',
    period: 'nodeMonitor',
    pass: async (site) => {
      const isGone = (instance: Instance | undefined) =>
        instance === undefined || instanceState(instance, site.now()) === 'terminated';
      const orphans = [...site.cache.list('Node')]
        .filter((node) => !isTrue(node, 'Ready') && node.metadata.deletionTimestamp === undefined)
        .filter(({ spec }) => isGone(instances.instance(instanceIdOf(spec?.providerID ?? ''))));
      for (const { metadata } of orphans)
        await site.cluster.delete('Node', { name: metadata.name }, { uid: metadata.uid ?? '' });
    },
  });
}
