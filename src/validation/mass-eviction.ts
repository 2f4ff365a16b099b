import { allowedDisruptions } from './allowed-disruptions.ts';
import { eachView, type History, type View } from './history.ts';
import { readyEndpointsOf } from './measure/application.ts';
import { disruptions } from './measure/pool.ts';

interface Window {
  readonly from: number;
  readonly to: number;
}

/**
 * Pure. What speaks for mass eviction (contract section 2): the autoscaler disrupts more nodes at once than the budget
 * allows, or the application's ready endpoints fall under the budget's `minAvailable` outside the windows that expect it.
 */
export function massEvictions(history: History, run: Window, mayLoseEndpoints: readonly Window[]): readonly string[] {
  const seen = new Set<string>();
  eachView(history, run.from, run.to, (view, at) => {
    const expected = mayLoseEndpoints.some(({ from, to }) => at >= from && at <= to);
    for (const sentence of [tooManyNodes(view), expected ? undefined : tooFewEndpoints(view)]) {
      if (sentence !== undefined) seen.add(sentence);
    }
  });
  return [...seen];
}

function tooManyNodes(view: View): string | undefined {
  const budgets = [...view.NodePool.values()].flatMap((pool) => pool.budgets);
  const allowed = allowedDisruptions(budgets, view.NodeClaim.size);
  const now = disruptions(view);
  return now > Math.max(1, allowed) ? `${now} nodes disrupted at once where the budget allows ${allowed}` : undefined;
}

function tooFewEndpoints(view: View): string | undefined {
  const ready = readyEndpointsOf(view);
  const [budget] = view.PodDisruptionBudget.values();
  if (budget === undefined || ready >= budget.desired) return undefined;
  return `${ready} ready endpoints where the disruption budget wants ${budget.desired}`;
}
