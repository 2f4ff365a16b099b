import { nodeOf } from '../autoscaler/cluster-state.ts';
import { wellKnown } from '../autoscaler/well-known.ts';
import { instanceIdOf, instanceState } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import { isTrue } from '../objects/conditions.ts';
import { loop } from '../reconciling/loop.ts';
import type { Controller, Site } from '../setup/site.ts';

type Cloud = Pick<Machines, 'instance' | 'instances' | 'terminate'>;

/**
 * Deletes registered claims whose instance is gone and whose node is not Ready (nodeclaim/garbagecollection), and
 * terminates instances whose claim is gone (karpenter-provider-aws, nodeclaim/garbagecollection).
 */
export function claimGc(machines: Cloud): Controller {
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
      terminateLeaked(site, machines);
    },
  });
}

/** A younger instance is kept: its claim may not have its provider id yet. */
const leakedAfterSeconds = 30;

function terminateLeaked(site: Site, machines: Cloud): void {
  const claimed = new Set(
    [...site.cache.list('NodeClaim')].map(({ status }) => instanceIdOf(status?.providerID ?? '')),
  );
  const launchedBefore = site.now() - 1000 * leakedAfterSeconds;
  const leaked = [...machines.instances()].filter(
    ({ id, tags, launchedAt }) =>
      tags[wellKnown.nodeClaim] !== undefined && launchedAt < launchedBefore && !claimed.has(id),
  );
  for (const { id } of leaked) machines.terminate(id);
}
