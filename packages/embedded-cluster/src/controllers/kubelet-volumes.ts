import { volumesInUse } from '../kubelet/volumes.ts';
import { kubeletRuns } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import { claimKeysOf } from '../objects/claims.ts';
import { sameJson } from '../objects/json.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Controller } from '../setup/site.ts';

/** The kubelet's report of the volumes that it uses, in the status of its Node (volumemanager, GetVolumesInUse). */
export function kubeletVolumes(machines: Machines): Controller {
  return reconciler({
    name: 'kubelet-volumes',
    watches: { Pod: (pod) => (claimKeysOf(pod).length === 0 ? [] : [pod.spec.nodeName ?? '']) },
    reaction: 'nodeStatus',
    reconcile: async (site, name) => {
      const node = site.cache.get('Node', name);
      const instance = machines.instanceOfNode(name);
      if (node === undefined || instance === undefined || !kubeletRuns(instance, site.now())) return undefined;
      const inUse = volumesInUse(name, site.cache);
      if (sameJson(inUse, node.status?.volumesInUse ?? [])) return undefined;
      const value = { status: { volumesInUse: inUse } };
      await site.cluster.patch('Node', { name }, { type: 'merge', value }, { subresource: 'status' });
      return undefined;
    },
  });
}
