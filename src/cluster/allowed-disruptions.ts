import type { DisruptionBudget } from './autoscaler.ts';

type Budget = Pick<DisruptionBudget, 'nodes' | 'reasons'>;

/**
 * Pure. How many nodes of a pool may be disrupted at once: percentages are rounded up and the least of all budgets wins
 * (facts 3.3). Karpenter's default is one budget of 10 %.
 */
export function allowedDisruptions(budgets: readonly string[], nodes: number): number {
  const allowed = (budgets.length === 0 ? ['10%'] : budgets).map((budget) =>
    budget.endsWith('%') ? Math.ceil((Number(budget.slice(0, -1)) / 100) * nodes) : Number(budget),
  );
  return Math.min(...allowed);
}

/** The same where it is not known for which reason: as many as the reason of which the most may be disrupted allows. */
export function mostDisruptions(budgets: readonly Budget[], nodes: number): number {
  return Math.max(
    ...reasons.map((reason) => {
      const texts = budgets.filter((budget) => budget.reasons?.includes(reason) ?? true).map((budget) => budget.nodes);
      return texts.length === 0 ? Number.POSITIVE_INFINITY : allowedDisruptions(texts, nodes);
    }),
  );
}

/** karpenter.sh/v1: a budget without reasons is for all three. */
const reasons = ['Underutilized', 'Empty', 'Drifted'] as const;
