import type { NodeClaim } from '../../cluster/autoscaler.ts';
import { actionOf, type PlannedAction } from '../actions/index.ts';
import { type Before, readyPods } from '../observe/snapshot.ts';

/** The nodes that the actions take away. */
export const nodesTaken = (actions: readonly PlannedAction[], claims: readonly NodeClaim[]): readonly string[] =>
  actions.flatMap((planned) => actionOf(planned).takes?.(planned.target, claims) ?? []);

/** Whether the actions disturb this application: where they take nodes, one of its ready pods is there. */
export function isReached(before: Before, actions: readonly PlannedAction[]): boolean {
  const nodes = nodesTaken(actions, before.claims);
  return nodes.length === 0 || readyPods(before).some(({ spec }) => nodes.includes(spec.nodeName ?? ''));
}
