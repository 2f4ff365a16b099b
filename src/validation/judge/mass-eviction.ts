import { mostDisruptions } from '../../cluster/allowed-disruptions.ts';
import { readyEndpointsOf } from '../measure/application.ts';
import { disruptions } from '../measure/pool.ts';
import type { WatchedKind } from '../record/digest.ts';
import { eachView, type History, type View } from '../record/history.ts';

interface Window {
  readonly from: number;
  readonly to: number;
}

/** What speaks for or against criteria 4 and 6: while one of these is silent nothing is known of the whole run. */
export const wholeRunKinds: readonly WatchedKind[] = [
  'Deployment',
  'EndpointSlice',
  'PodDisruptionBudget',
  'Pod',
  'Node',
  'NodeClaim',
  'NodePool',
];

/**
 * Pure. What speaks for mass eviction (contract section 2): the autoscaler disrupts more nodes at once than the budget
 * allows, or the application's ready endpoints fall under the budget's `minAvailable` outside the windows that expect it.
 */
export function massEvictions(history: History, run: Window, mayLoseEndpoints: readonly Window[]): readonly string[] {
  const seen = new Set<string>();
  let before = 0;
  eachView(history, run.from, run.to, (view, at) => {
    if (isBlind(history, at)) return;
    const expected = mayLoseEndpoints.some(({ from, to }) => at >= from && at <= to);
    for (const sentence of [tooManyNodes(view), expected ? undefined : tooFewEndpoints(view, before)]) {
      if (sentence !== undefined) seen.add(sentence);
    }
    before = readyEndpointsOf(view);
  });
  return [...seen];
}

/** What is told anew after a silence comes kind by kind: until all of it is there it is no picture of the cluster. */
const isBlind = ({ gaps }: History, at: number): boolean =>
  gaps.some(({ kind, from, to }) => wholeRunKinds.includes(kind) && at >= from && at <= to);

function tooManyNodes(view: View): string | undefined {
  const budgets = [...view.NodePool.values()].flatMap((pool) => pool.budgets);
  const allowed = mostDisruptions(budgets, view.NodeClaim.size);
  const now = disruptions(view);
  return now > Math.max(1, allowed) ? `${now} nodes disrupted at once where the budget allows ${allowed}` : undefined;
}

/**
 * A budget by `maxUnavailable` or a percentage wants more as soon as there are to be more replicas, which is no fall, and for a moment
 * after there are to be fewer still as many as before.
 */
function tooFewEndpoints(view: View, before: number): string | undefined {
  const ready = readyEndpointsOf(view);
  const [budget] = view.PodDisruptionBudget.values();
  if (budget === undefined || ready >= before) return undefined;
  const replicas = [...view.Deployment.values()].map((deployment) => deployment.replicas);
  const wanted = Math.min(budget.desired, ...replicas);
  return ready >= wanted ? undefined : `${ready} ready endpoints where the disruption budget wants ${wanted}`;
}
