import { allowedDisruptions } from '../../cluster/allowed-disruptions.ts';
import type { DisruptionBudget, NodeClaim } from '../../cluster/autoscaler.ts';
import { condition, isNodeReady, isTrue } from '../../cluster/pods.ts';
import type { Expectation } from '../finding.ts';
import type { Before } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';

type Reason = 'Drifted' | 'Empty';

/**
 * Why Karpenter would now disrupt no node of the pool for this reason, or another node first; undefined if it would.
 * Computed, because no event reports that a budget is used up (docs/facts/karpenter.md, "Disruption budgets").
 */
export function disruptionTrouble(
  before: Before,
  budgets: readonly DisruptionBudget[],
  reason: Reason,
): string | undefined {
  if (before.pool === undefined) return 'the node pool is not there';
  const drifted = before.claims.filter((claim) => isTrue(claim, 'Drifted'));
  if (drifted.length > 0)
    return `already drifted, and replaced first: ${drifted.map((claim) => `${claim.metadata.name} (${condition(claim, 'Drifted')?.reason})`).join(', ')}`;
  const counted = countedClaims(before);
  const using = counted.filter((claim) => usesBudget(claim, before));
  const allowed = allowedDisruptions(textsFor(budgets, reason), counted.length);
  if (allowed - using.length > 0) return undefined;
  const because = using.map(({ metadata, status }) => `${status?.nodeName ?? metadata.name}`).join(', ');
  return using.length === 0
    ? `the budgets of the pool allow no disruption: ${allowed} of ${counted.length} nodes`
    : `the budget of ${allowed} is used up by nodes that are not ready or on their way out: ${because}`;
}

/**
 * Why the budgets of the owner (`manifests: none`) must not be replaced: a budget that allows no node is a freeze,
 * whether or not its schedule is active now. Undefined if there is none.
 */
export function freezeOf({ pool }: Before, { manifests }: Pick<Settings, 'manifests'>): string | undefined {
  if (manifests !== 'none') return undefined;
  const freeze = pool?.spec.disruption?.budgets?.find(({ nodes }) => Number.parseInt(nodes, 10) === 0);
  return freeze && `its owner has frozen the pool by the budget ${JSON.stringify(freeze)}: it is not replaced`;
}

/** The nodes that Karpenter counts: Initialized and not InstanceTerminating (BuildDisruptionBudgetMapping). */
const countedClaims = ({ claims }: Before): readonly NodeClaim[] =>
  claims.filter((claim) => isTrue(claim, 'Initialized') && !isTrue(claim, 'InstanceTerminating'));

function usesBudget({ metadata, status }: NodeClaim, { nodes }: Before): boolean {
  const node = nodes.find(({ metadata: { name } }) => name === status?.nodeName);
  const isLeaving =
    metadata.deletionTimestamp !== undefined ||
    node?.metadata.deletionTimestamp !== undefined ||
    node?.spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted') === true;
  return isLeaving || node === undefined || !isNodeReady(node);
}

/**
 * The budgets for this reason. One with a schedule is left out, because it may not be active; if it is, Karpenter
 * allows less.
 */
const textsFor = (budgets: readonly DisruptionBudget[], reason: Reason): readonly string[] =>
  budgets
    .filter(({ reasons, schedule }) => schedule === undefined && (reasons === undefined || reasons.includes(reason)))
    .map(({ nodes }) => nodes);

/**
 * The disruptions that both lists of budgets allow: percentages are rounded up, so in a small pool they may be equal.
 */
export function budgetsNote(before: Before, ours: readonly DisruptionBudget[], reason: Reason): Expectation {
  const total = countedClaims(before).length;
  const own = textsFor(before.pool?.spec.disruption?.budgets ?? [], reason);
  const texts = textsFor(ours, reason);
  const [now, then] = [allowedDisruptions(own, total), allowedDisruptions(texts, total)];
  const quoted = (some: readonly string[]): string => some.map((text) => `"${text}"`).join(', ') || '"10%"';
  const difference = now === then ? 'the override changes nothing here' : `the override allows ${then} instead`;
  return {
    id: 'effective-budgets',
    expected: 'how many disruptions the budgets allow, percentages rounded up',
    outcome: 'noted',
    observed: `of ${total} nodes ${quoted(own)} allows ${now} and ${quoted(texts)} allows ${then}: ${difference}`,
  };
}
