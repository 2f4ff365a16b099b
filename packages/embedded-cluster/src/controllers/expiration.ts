import { durationSeconds } from '../autoscaler/durations.ts';
import { instantOf } from '../objects/timestamps.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Controller } from '../setup/site.ts';

/**
 * The only worker sleeps after each deletion (nodeclaim/expiration/controller.go); measured: two claims of one second
 * went 1.0 s apart.
 */
const pauseSeconds = 1;

/**
 * Deletes a NodeClaim older than its own `expireAfter`, without budgets and without a replacement first
 * (nodeclaim/expiration).
 */
export function expiration(): Controller {
  /** Epoch milliseconds. */
  let pausedUntil = 0;
  return reconciler({
    name: 'expiration',
    watches: { NodeClaim: (claim) => [claim.metadata.name] },
    reaction: 'autoscalerReaction',
    reconcile: async (site, name) => {
      const claim = site.cache.get('NodeClaim', name);
      if (claim?.metadata.creationTimestamp === undefined || claim.metadata.deletionTimestamp !== undefined)
        return undefined;
      const expiresAt = instantOf(claim.metadata.creationTimestamp) + 1000 * durationSeconds(claim.spec.expireAfter);
      const seconds = (Math.max(expiresAt, pausedUntil) - site.now()) / 1000;
      if (seconds > 0) return Number.isFinite(seconds) ? seconds : undefined;
      await site.cluster.delete('NodeClaim', { name }, { uid: claim.metadata.uid ?? '' });
      pausedUntil = site.now() + 1000 * pauseSeconds;
      return undefined;
    },
  });
}
