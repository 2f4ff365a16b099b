import type { NodeClaim } from '../../cluster/autoscaler.ts';
import { actionOf, type PlannedAction } from '../actions/index.ts';
import { type Before, readyPods } from '../observe/snapshot.ts';

/** The nodes that the actions remove. */
export const nodesTaken = (actions: readonly PlannedAction[], claims: readonly NodeClaim[]): readonly string[] =>
  actions.flatMap((planned) => actionOf(planned).takes?.(planned.target, claims) ?? []);

/** Whether the actions disturb this application. Actions that remove nodes do so only if one of its ready pods is on such a node. */
export function isReached(before: Before, actions: readonly PlannedAction[]): boolean {
  const nodes = nodesTaken(actions, before.claims);
  return nodes.length === 0 || readyPods(before).some(({ spec }) => nodes.includes(spec.nodeName ?? ''));
}
