import type { Machines } from '../machines/machines.ts';
import { placeOf } from '../objects/cache.ts';
import { microTime } from '../objects/timestamps.ts';
import { loop } from '../reconciling/loop.ts';
import type { Controller, Site } from '../setup/site.ts';

/** client-go leaderelection: LeaseDuration. */
const leaseDurationSeconds = 15;

/**
 * Keeps the Lease of Karpenter's leader: one of its running replicas, the same one as long as it runs (client-go
 * leaderelection).
 */
export function leaderElection(machines: Pick<Machines, 'running'>, namespace: string): Controller {
  const place = { namespace, name: 'karpenter-leader-election' };
  return loop({
    name: 'leader-election',
    period: 'leaderRenewal',
    pass: async (site) => {
      const alive = machines.running('karpenter').map(({ podKey }) => placeOf(podKey).name);
      const lease = await site.cluster.get('Lease', place);
      const before = lease?.spec.holderIdentity;
      const holderIdentity = alive.find((name) => name === before) ?? alive[0];
      if (holderIdentity === undefined) return;
      if (lease === undefined) await site.cluster.create(leaseOf(site, place, holderIdentity));
      else {
        const leaseTransitions = (lease.spec.leaseTransitions ?? 0) + (before === holderIdentity ? 0 : 1);
        const spec = { holderIdentity, renewTime: microTime(site.now()), leaseTransitions };
        await site.cluster.patch('Lease', place, { type: 'merge', value: { spec } });
      }
    },
  });
}

function leaseOf(site: Site, metadata: { readonly namespace: string; readonly name: string }, holderIdentity: string) {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata,
    spec: { holderIdentity, leaseDurationSeconds, renewTime: microTime(site.now()), leaseTransitions: 0 },
  } as const;
}
