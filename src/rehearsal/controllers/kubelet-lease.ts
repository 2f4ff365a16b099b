import type { Lease, Node } from '../../cluster/resources.ts';
import { kubeletRuns } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import { ownedBy } from '../objects/owners.ts';
import { microTime } from '../objects/timestamps.ts';
import type { Controller, Site } from '../setup/site.ts';

export const leaseNamespace = 'kube-node-lease';

/** The kubelets' heartbeat: each renews its Lease once in a period. One loop for all: a tenth of them every tenth of the period. */
export function kubeletLease(machines: Machines): Controller {
  return {
    name: 'kubelet-lease',
    run: (site, signal) => {
      const round = (turn: number) => {
        if (signal.aborted) return;
        renew(site, machines, turn % shares).catch(site.failed);
        site.after(site.delay('nodeLease') / shares, () => round(turn + 1));
      };
      round(0);
    },
  };
}

async function renew(site: Site, machines: Machines, share: number): Promise<void> {
  const now = site.now();
  const value = { spec: { renewTime: microTime(now) } };
  for (const instance of machines.instances()) {
    if (instance.ordinal % shares !== share || !kubeletRuns(instance, now)) continue;
    if (site.cache.get('Node', instance.nodeName) === undefined) continue;
    await site.cluster.patch('Lease', placeOfLease(instance.nodeName), { type: 'merge', value });
  }
}

const shares = 10;

/** KubeletConfiguration: nodeLeaseDurationSeconds. */
const leaseDurationSeconds = 40;

export function leaseOf(node: Node, at: number): Lease {
  const { name } = node.metadata;
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { ...placeOfLease(name), ownerReferences: [ownedBy(node)] },
    spec: { holderIdentity: name, leaseDurationSeconds, renewTime: microTime(at) },
  };
}

export const placeOfLease = (nodeName: string) => ({ namespace: leaseNamespace, name: nodeName });
