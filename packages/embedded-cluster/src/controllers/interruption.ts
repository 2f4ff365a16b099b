import { nodeOf } from '../autoscaler/cluster-state.ts';
import type { NodeClaim } from '../kubernetes/autoscaler.ts';
import type { Node } from '../kubernetes/resources.ts';
import { instanceIdOf } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import type { Cache } from '../objects/cache.ts';
import { recordEvent } from '../reconciling/events.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Controller, Site } from '../setup/site.ts';

/**
 * Karpenter's interruption queue: a state change of an instance → its NodeClaim is deleted
 * (pkg/controllers/interruption).
 */
export function interruption(machines: Pick<Machines, 'onTermination'>): Controller {
  return reconciler({
    name: 'interruption',
    watches: {},
    alsoWatches: (_site, add) => machines.onTermination(({ id }) => add(id)),
    reaction: 'interruptionMessage',
    reconcile: async (site, instanceId) => {
      const claim = [...site.cache.list('NodeClaim')].find(
        ({ status }) => instanceIdOf(status?.providerID ?? '') === instanceId,
      );
      if (claim === undefined || claim.metadata.deletionTimestamp !== undefined || !hasQueue(site.cache))
        return undefined;
      await recordInterruption(site, claim);
      await site.cluster.delete('NodeClaim', { name: claim.metadata.name }, { uid: claim.metadata.uid ?? '' });
      return undefined;
    },
  });
}

async function recordInterruption(site: Site, claim: NodeClaim): Promise<void> {
  const node = nodeOf(claim, site.cache);
  for (const about of node === undefined ? [claim] : [claim, node]) {
    await recordEvent(site, about, 'Warning', 'InstanceTerminating', 'Instance is terminating');
    await recordEvent(site, about, 'Warning', 'TerminatingOnInterruption', interrupted(about));
  }
}

const interrupted = ({ kind }: NodeClaim | Node): string => `Interruption triggered termination for the ${kind}`;

/** Karpenter polls a queue only if its settings name one. */
function hasQueue(cache: Cache): boolean {
  const deployment = cache.get('Deployment', 'kube-system/karpenter');
  const settings = (deployment?.spec.template.spec.containers ?? []).flatMap(({ env }) => env ?? []);
  return settings.some(({ name, value }) => name === 'INTERRUPTION_QUEUE' && value !== undefined && value !== '');
}
