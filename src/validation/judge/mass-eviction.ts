import { mostDisruptions } from '../../cluster/allowed-disruptions.ts';
import { actionNamed } from '../actions/index.ts';
import { readyEndpointsOf } from '../measure/application.ts';
import { disruptions } from '../measure/pool.ts';
import type { WatchedKind } from '../record/digest.ts';
import { eachView, type History, type View } from '../record/history.ts';
import type { TakenNode } from '../record/records.ts';

interface Window {
  readonly from: number;
  readonly to: number;
}

/** The kinds that criteria 4 and 6 need: while one of them is not watched, neither can be decided. */
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
 * Evidence of mass eviction (docs/contract.md, "The evidence of a criterion"), one sentence each: the autoscaler
 * disrupts more nodes at once than the budget allows, or the application's ready endpoints fall below the budget's
 * `minAvailable` outside the windows that expect it.
 */
export function massEvictions(
  history: History,
  run: Window,
  mayLoseEndpoints: readonly Window[],
  taken: readonly TakenNode[] = [],
): readonly string[] {
  const ended = taken.filter(({ action }) => actionNamed(action)?.replacedFor === 'instance-ended');
  const sentences = new Set<string>();
  let before = 0;
  eachView(history, run.from, run.to, (view, at) => {
    if (isBlind(history, at)) return;
    const expected = mayLoseEndpoints.some(({ from, to }) => at >= from && at <= to);
    for (const sentence of [tooManyNodes(view, ended), expected ? undefined : tooFewEndpoints(view, before)]) {
      if (sentence !== undefined) sentences.add(sentence);
    }
    before = readyEndpointsOf(view);
  });
  return [...sentences];
}

/** After a gap the kinds are listed one after the other, so the view is wrong until all of them are watched again. */
const isBlind = ({ gaps }: History, at: number): boolean =>
  gaps.some(({ kind, from, to }) => wholeRunKinds.includes(kind) && at >= from && at <= to);

/** A node whose instance the run ended is not disrupted by the autoscaler, which only clears it away. */
function tooManyNodes(view: View, ended: readonly TakenNode[]): string | undefined {
  const budgets = [...view.NodePool.values()].flatMap((pool) => pool.budgets);
  const allowed = mostDisruptions(budgets, view.NodeClaim.size);
  const now = disruptions(view).filter(({ node }) => !ended.some((one) => one.node === node)).length;
  return now > Math.max(1, allowed) ? `${now} nodes disrupted at once where the budget allows ${allowed}` : undefined;
}

/**
 * Only a fall counts: with `maxUnavailable` or a percentage the budget demands more pods as soon as the Deployment
 * wants more replicas. After a scale down it still demands the old number for a moment, so the replicas bound it.
 */
function tooFewEndpoints(view: View, before: number): string | undefined {
  const ready = readyEndpointsOf(view);
  const [budget] = view.PodDisruptionBudget.values();
  if (budget === undefined || ready >= before) return undefined;
  const replicas = [...view.Deployment.values()].map((deployment) => deployment.replicas);
  const wanted = Math.min(budget.desired, ...replicas);
  return ready >= wanted ? undefined : `${ready} ready endpoints where the disruption budget wants ${wanted}`;
}
