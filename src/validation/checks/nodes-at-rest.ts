import type { Cluster } from '../../cluster/cluster.ts';
import type { Node } from '../../cluster/resources.ts';
import { applicationSelector, isNotLeftOver } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';
import { asExpected, type Check, notAsExpected } from './check.ts';

/**
 * No node is cordoned, being disrupted or being deleted, and no pod of the application is on one that is gone: no other
 * drain is under way.
 */
export const nodesAtRest: Check = {
  name: 'nodes-at-rest',
  mandatory: true,
  async look({ site, settings }) {
    const assertion = { id: 'nodes-at-rest', subject: 'Nodes', expected: 'no other drain under way' };
    const nodes = await site.cluster.list('Node');
    const disrupted = nodes.flatMap((node) => {
      const because = disruptionOf(node);
      return because === undefined ? [] : [`${node.metadata.name} is ${because}`];
    });
    const left = await podsLeftBehind(site.cluster, settings, nodes);
    const troubles = [...disrupted, ...left];
    if (troubles.length === 0) return asExpected(assertion, `${nodes.length} nodes, none being drained or deleted`);
    return notAsExpected(
      assertion,
      troubles.join('; '),
      left.length > 0
        ? 'wait until they are collected, which takes a minute, and their replacements are ready'
        : 'wait until it has ended; kubectl uncordon what was forgotten',
    );
  },
};

/**
 * Pods whose node is gone are still Running and Ready in the API until they are collected (docs/facts/kubernetes.md, "A
 * node that fails").
 */
async function podsLeftBehind(
  cluster: Cluster,
  settings: Settings,
  nodes: readonly Node[],
): Promise<readonly string[]> {
  const { namespace } = settings;
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  const pods = await cluster.list('Pod', { namespace, labelSelector: applicationSelector(settings) });
  return pods
    .filter(isNotLeftOver)
    .flatMap(({ metadata, spec }) =>
      spec.nodeName === undefined || names.has(spec.nodeName)
        ? []
        : [`${metadata.name} is on ${spec.nodeName}, which is gone`],
    );
}

function disruptionOf({ metadata, spec }: Node): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return 'being deleted';
  if (spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted')) return 'being disrupted by the autoscaler';
  return spec?.unschedulable === true ? 'cordoned' : undefined;
}
