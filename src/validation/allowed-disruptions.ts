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
