import type { DisruptionBudget } from './autoscaler.ts';

type Budget = Pick<DisruptionBudget, 'nodes' | 'reasons'>;

/**
 * How many nodes of a pool may be disrupted at once: percentages are rounded up, and the smallest of all budgets
 * applies (docs/facts/karpenter.md). Without a budget Karpenter's default of 10 % applies.
 */
export function allowedDisruptions(budgets: readonly string[], nodes: number): number {
  const allowed = (budgets.length === 0 ? ['10%'] : budgets).map((budget) =>
    budget.endsWith('%') ? Math.ceil((Number(budget.slice(0, -1)) / 100) * nodes) : Number(budget),
  );
  return Math.min(...allowed);
}

/** The same if the reason of the disruption is unknown: the largest number that any reason allows. */
export function mostDisruptions(budgets: readonly Budget[], nodes: number): number {
  return Math.max(
    ...reasons.map((reason) => {
      const texts = budgets.filter((budget) => budget.reasons?.includes(reason) ?? true).map((budget) => budget.nodes);
      return texts.length === 0 ? Number.POSITIVE_INFINITY : allowedDisruptions(texts, nodes);
    }),
  );
}

/** karpenter.sh/v1: a budget without reasons applies to all three. */
const reasons = ['Underutilized', 'Empty', 'Drifted'] as const;
