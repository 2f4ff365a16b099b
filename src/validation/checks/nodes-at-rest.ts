import type { Node } from '../../cluster/resources.ts';
import { asExpected, type Check, notAsExpected } from './check.ts';

/** No node is cordoned, being disrupted or being deleted: no other drain is under way. */
export const nodesAtRest: Check = {
  name: 'nodes-at-rest',
  mandatory: true,
  async look({ site }) {
    const assertion = { id: 'nodes-at-rest', subject: 'Nodes', expected: 'no other drain under way' };
    const nodes = await site.cluster.list('Node');
    const disrupted = nodes.flatMap((node) => {
      const because = disruptionOf(node);
      return because === undefined ? [] : [`${node.metadata.name} is ${because}`];
    });
    if (disrupted.length === 0) return asExpected(assertion, `${nodes.length} nodes, none being drained or deleted`);
    return notAsExpected(
      assertion,
      disrupted.join('; '),
      'wait until it has ended; kubectl uncordon what was forgotten',
    );
  },
};

function disruptionOf({ metadata, spec }: Node): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return 'being deleted';
  if (spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted')) return 'being disrupted by the autoscaler';
  return spec?.unschedulable === true ? 'cordoned' : undefined;
}
