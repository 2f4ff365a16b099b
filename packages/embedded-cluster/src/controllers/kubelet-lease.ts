import { ApiError } from '../kubernetes/cluster.ts';
import type { Lease, Node } from '../kubernetes/resources.ts';
import { kubeletRuns } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import { ownedBy } from '../objects/owners.ts';
import { microTime } from '../objects/timestamps.ts';
import type { Controller, Site } from '../setup/site.ts';

export const leaseNamespace = 'kube-node-lease';

/**
 * The kubelets' heartbeat: each renews its Lease once in a period. One loop for all: a tenth of them every tenth of the
 * period.
 */
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
    const node = site.cache.get('Node', instance.nodeName);
    if (node === undefined) continue;
    await site.cluster
      .patch('Lease', placeOfLease(instance.nodeName), { type: 'merge', value })
      .catch((error: unknown) => replace(site, node, error));
  }
}

/** A Lease that somebody has deleted is created again; any other refusal of the API waits for the next period. */
async function replace(site: Site, node: Node, error: unknown): Promise<void> {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 404) await site.cluster.create(leaseOf(node, site.now())).catch(refused);
}

function refused(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
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
