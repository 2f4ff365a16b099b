import type { Lease } from '../../cluster/resources.ts';
import { kubeletRuns } from '../instances.ts';
import type { Machines } from '../machines.ts';
import type { Controller } from '../site.ts';

export const leaseNamespace = 'kube-node-lease';

/** The kubelets' heartbeat: each renews its Lease once per period, a tenth of them every tenth of it. One loop for all. */
export function kubeletLease(machines: Machines): Controller {
  return {
    name: 'kubelet-lease',
    run: (site, signal) => {
      let share = 0;
      const renew = async () => {
        const now = site.now();
        for (const instance of machines.instances()) {
          if (instance.ordinal % shares !== share || !kubeletRuns(instance, now)) continue;
          if (site.cache.get('Node', instance.nodeName) === undefined) continue;
          const value = { spec: { renewTime: microTime(now) } };
          await site.cluster.patch('Lease', placeOfLease(instance.nodeName), { type: 'merge', value });
        }
        share = (share + 1) % shares;
      };
      const round = () => {
        if (signal.aborted) return;
        renew().catch(site.failed);
        site.after(site.delay('nodeLease') / shares, round);
      };
      round();
    },
  };
}

const shares = 10;

/** kubelet: nodeLeaseDurationSeconds. */
const leaseDurationSeconds = 40;

export function leaseOf(nodeName: string, at: number): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: placeOfLease(nodeName),
    spec: { holderIdentity: nodeName, leaseDurationSeconds, renewTime: microTime(at) },
  };
}

const placeOfLease = (nodeName: string) => ({ namespace: leaseNamespace, name: nodeName });

/** meta/v1 MicroTime. */
const microTime = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');
