import { nodeOf } from '../autoscaler/cluster-state.ts';
import { isTrue } from '../conditions.ts';
import { instanceIdOf, instanceState } from '../instances.ts';
import type { Machines } from '../machines.ts';
import type { Controller } from '../site.ts';
import { loop } from './loop.ts';

/** Deletes registered claims whose instance the cloud no longer has and whose node is not Ready (nodeclaim/garbagecollection). */
export function claimGc(machines: Pick<Machines, 'instance'>): Controller {
  return loop({
    name: 'claim-gc',
    period: 'autoscalerGc',
    pass: async (site) => {
      const lost = [...site.cache.list('NodeClaim')].filter((claim) => {
        const instance = machines.instance(instanceIdOf(claim.status?.providerID ?? ''));
        const node = nodeOf(claim, site.cache);
        const isGone = instance === undefined || instanceState(instance, site.now()) === 'terminated';
        return isTrue(claim, 'Registered') && isGone && (node === undefined || !isTrue(node, 'Ready'));
      });
      for (const { metadata } of lost)
        await site.cluster.delete('NodeClaim', { name: metadata.name }, { uid: metadata.uid ?? '' });
    },
  });
}
