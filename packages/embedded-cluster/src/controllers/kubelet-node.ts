import type { Node } from '../kubernetes/resources.ts';
import { allocatableOf, capacityOf, instanceType } from '../machines/instance-types.ts';
import { type Instance, kubeletRuns, providerIdOf } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import { type Stated, withConditions } from '../objects/conditions.ts';
import { withDeprecated } from '../objects/deprecated-labels.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { uninitializedTaint } from '../scheduling/taints.ts';
import type { Controller, Site } from '../setup/site.ts';
import { leaseOf } from './kubelet-lease.ts';

/** The kubelet's part of its Node: creates it when the machine has booted, and reports its status. */
export function kubeletNode(machines: Machines): Controller {
  return reconciler({
    name: 'kubelet-node',
    watches: {},
    alsoWatches: (_site, add) => machines.onInstance(({ id }) => add(id)),
    reaction: 'kubeletReaction',
    reconcile: async (site, instanceId) => {
      const instance = machines.instance(instanceId);
      if (instance === undefined || instance.terminateAskedAt !== undefined) return undefined;
      const now = site.now();
      if (!kubeletRuns(instance, now)) return (instance.kubeletAt - now) / 1000;
      if ((await site.cluster.get('Node', { name: instance.nodeName })) === undefined) {
        const node = await site.cluster.create(nodeOf(instance));
        await site.cluster.create(leaseOf(node, now));
      }
      await reportStatus(site, instance);
      return now < instance.readyAt ? (instance.readyAt - now) / 1000 : undefined;
    },
  });
}

function nodeOf(instance: Instance): Node {
  const architecture = instanceType(instance.type)?.architecture ?? 'arm64';
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: instance.nodeName,
      labels: {
        ...withDeprecated({ 'kubernetes.io/arch': architecture, 'kubernetes.io/os': 'linux' }),
        'kubernetes.io/hostname': instance.nodeName,
        ...instance.labels,
      },
    },
    spec: {
      providerID: providerIdOf(instance),
      taints: [{ key: uninitializedTaint, value: 'true', effect: 'NoSchedule' }, ...instance.taints],
    },
  };
}

async function reportStatus(site: Site, instance: Instance): Promise<void> {
  const type = instanceType(instance.type);
  const node = await site.cluster.get('Node', { name: instance.nodeName });
  if (type === undefined || node === undefined) return;
  const isReady = site.now() >= instance.readyAt;
  const status = {
    conditions: withConditions(node.status?.conditions, conditionsOf(isReady), site.now()),
    // Of a node that was found elsewhere it is what that one has.
    capacity: node.status?.capacity ?? capacityOf(type),
    allocatable: node.status?.allocatable ?? allocatableOf(type),
    addresses: [
      { type: 'InternalIP', address: instance.address },
      { type: 'Hostname', address: instance.nodeName },
    ],
    nodeInfo: { architecture: type.architecture, operatingSystem: 'linux', kubeletVersion: 'v1.34.1-eks-113cf36' },
  };
  await site.cluster.patch(
    'Node',
    { name: instance.nodeName },
    { type: 'merge', value: { status } },
    { subresource: 'status' },
  );
}

function conditionsOf(isReady: boolean): readonly Stated[] {
  const healthy = (type: string, reason: string): Stated => ({ type, status: 'False', reason });
  return [
    healthy('MemoryPressure', 'KubeletHasSufficientMemory'),
    healthy('DiskPressure', 'KubeletHasNoDiskPressure'),
    healthy('PIDPressure', 'KubeletHasSufficientPID'),
    isReady
      ? { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }
      : { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'cni plugin not initialized' },
  ];
}
