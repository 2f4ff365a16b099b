import type { Node } from '../../cluster/resources.ts';
import type { Expectation } from '../finding.ts';
import type { Snapshot } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';

/** Pure. The nodes of before that are gone, on their way out, or tainted by the autoscaler. */
export function harmedNodes(before: Pick<Snapshot, 'nodes'>, now: Pick<Snapshot, 'nodes'>): readonly Node[] {
  const nodes = new Map(now.nodes.map((node) => [node.metadata.uid, node]));
  return before.nodes.filter(({ metadata }) => {
    const node = nodes.get(metadata.uid);
    const disrupted = node?.spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted');
    return node === undefined || node.metadata.deletionTimestamp !== undefined || disrupted === true;
  });
}

/**
 * Pure. "Nodes restart after applying the node pool: configuration error" (section 7): those of other NodePools
 * come and go by themselves in any cluster, and are told.
 */
export function harmExpectations(
  harmed: readonly Node[],
  settings: Settings,
  quietSeconds: number,
): readonly Expectation[] {
  const namesOf = (ours: boolean) =>
    harmed.filter((node) => isOfAnotherPool(node, settings) !== ours).map(({ metadata }) => metadata.name);
  const [ours, others] = [namesOf(true).join(', '), namesOf(false).join(', ')];
  const told: Expectation = {
    id: 'other-nodes-disrupted',
    expected: 'what went on in other pools meanwhile',
    outcome: 'noted',
    observed: `${others} disrupted or gone`,
    advice: 'see the events of these nodes: another pool is consolidated, or interrupted, beside this run',
  };
  return [
    {
      id: 'no-disruption',
      expected: 'no disruption and no node termination after applying the node pool',
      outcome: ours === '' ? 'met' : 'not-met',
      observed: ours === '' ? `none in ${quietSeconds} s` : `${ours} disrupted or gone`,
      advice: ours === '' ? '' : 'nodes that restart after applying the node pool are a configuration error',
    },
    ...(others === '' ? [] : [told]),
  ];
}

function isOfAnotherPool({ metadata: { labels } }: Node, { nodePool }: Settings): boolean {
  const pool = labels?.['karpenter.sh/nodepool'];
  return pool !== undefined && pool !== nodePool.name;
}
