import { keyOf } from '../cache.ts';
import { type Stated, withConditions } from '../conditions.ts';
import { reconciler } from './reconciler.ts';

/** EC2NodeClass → its conditions: everything that it names is there (karpenter-provider-aws, nodeclass controller). */
export const nodeClass = reconciler({
  name: 'node-class',
  watches: { EC2NodeClass: (object) => [keyOf(object)] },
  reaction: 'autoscalerReaction',
  reconcile: async (site, name) => {
    const found = site.cache.get('EC2NodeClass', name);
    if (found === undefined) return undefined;
    const observedGeneration = found.metadata.generation ?? 1;
    const types = [
      'AMIsReady',
      'SubnetsReady',
      'SecurityGroupsReady',
      'InstanceProfileReady',
      'ValidationSucceeded',
      'Ready',
    ];
    const stated = types.map(
      (type): Stated => ({ type, status: 'True', reason: type, message: '', observedGeneration }),
    );
    const value = { status: { conditions: withConditions(found.status?.conditions, stated, site.now()) } };
    await site.cluster.patch('EC2NodeClass', { name }, { type: 'merge', value }, { subresource: 'status' });
    return undefined;
  },
});
