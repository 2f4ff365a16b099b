import { mostDisruptions } from '../../cluster/allowed-disruptions.ts';
import { readSnapshot, readyPods } from '../observe/snapshot.ts';
import { asExpected, type Check, notAsExpected } from './check.ts';

/**
 * Whether Karpenter may replace all nodes of the application at once: then only a PodDisruptionBudget keeps a pod. A
 * budget with a schedule is left out, because it does not hold at every hour.
 */
export const poolBudgets: Check = {
  name: 'pool-budgets',
  mandatory: false,
  ofKarpenter: true,
  ofOwner: true,
  async look({ site, settings }) {
    const before = await readSnapshot(site.cluster, settings);
    const { name } = settings.nodePool;
    const assertion = {
      id: 'pool-budgets',
      subject: `NodePool ${name}`,
      expected: 'its nodes are not replaced all at once',
    };
    const budgets = (before.pool?.spec.disruption?.budgets ?? [{ nodes: '10%' }]).filter(
      ({ schedule }) => schedule === undefined,
    );
    const nodes = new Set(readyPods(before).flatMap(({ spec }) => spec.nodeName ?? [])).size;
    const most = mostDisruptions(budgets, Math.max(before.claims.length, nodes));
    const shown = budgets.map((budget) => `"${budget.nodes}"`).join(', ');
    if (nodes < 2 || most < nodes) return asExpected(assertion, `budgets ${shown} allow ${most} at once`);
    return {
      ...notAsExpected(
        assertion,
        `disruption.budgets ${shown} let Karpenter replace all ${nodes} nodes of the application at once`,
        'set budgets to nodes: "1", or to a share that leaves a node: a drift then goes from node to node',
        'warning',
      ),
      rules: ['pool-budgets'],
    };
  },
};
