import { durationSeconds } from '../autoscaler/durations.ts';
import { instantOf } from '../objects/timestamps.ts';
import { reconciler } from './reconciler.ts';

/** Deletes a NodeClaim older than its own `expireAfter`, without budgets and without a replacement first (nodeclaim/expiration). */
export const expiration = reconciler({
  name: 'expiration',
  watches: { NodeClaim: (claim) => [claim.metadata.name] },
  reaction: 'autoscalerReaction',
  reconcile: async (site, name) => {
    const claim = site.cache.get('NodeClaim', name);
    if (claim?.metadata.creationTimestamp === undefined || claim.metadata.deletionTimestamp !== undefined)
      return undefined;
    const expiresAt = instantOf(claim.metadata.creationTimestamp) + 1000 * durationSeconds(claim.spec.expireAfter);
    const seconds = (expiresAt - site.now()) / 1000;
    if (seconds > 0) return Number.isFinite(seconds) ? seconds : undefined;
    await site.cluster.delete('NodeClaim', { name }, { uid: claim.metadata.uid ?? '' });
    return undefined;
  },
});
