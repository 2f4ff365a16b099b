import { keyOf } from '../objects/cache.ts';
import { type Stated, withConditions } from '../objects/conditions.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Controller } from '../setup/site.ts';

/**
 * EC2NodeClass → its conditions (karpenter-provider-aws, pkg/controllers/nodeclass). `isReady` false: its subnets are
 * not found.
 */
export function nodeClass({ isReady }: { readonly isReady: boolean }): Controller {
  return reconciler({
    name: 'node-class',
    watches: { EC2NodeClass: (object) => [keyOf(object)] },
    reaction: 'autoscalerReaction',
    reconcile: async (site, name) => {
      const object = site.cache.get('EC2NodeClass', name);
      if (object === undefined) return undefined;
      const observedGeneration = object.metadata.generation ?? 1;
      const stated = types.map((type) => ({ ...conditionOf(type, isReady), observedGeneration }));
      const value = { status: { conditions: withConditions(object.status?.conditions, stated, site.now()) } };
      await site.cluster.patch('EC2NodeClass', { name }, { type: 'merge', value }, { subresource: 'status' });
      return undefined;
    },
  });
}

const types = ['AMIsReady', 'SecurityGroupsReady', 'InstanceProfileReady', 'SubnetsReady', 'Ready'] as const;

function conditionOf(type: (typeof types)[number], isReady: boolean): Stated {
  if (isReady || (type !== 'SubnetsReady' && type !== 'Ready'))
    return { type, status: 'True', reason: type, message: '' };
  const message = type === 'Ready' ? 'SubnetsReady=False' : 'SubnetSelector did not match any Subnets';
  return { type, status: 'False', reason: type === 'Ready' ? 'UnhealthyDependents' : 'SubnetsNotFound', message };
}
