import type { NodeClaim } from '../../cluster/autoscaler.ts';
import type { PlannedAction } from '../actions/index.ts';
import { type Before, readyPods } from '../observe/snapshot.ts';

/** The node that the actions take away; undefined where they take none. */
export function nodeTaken(actions: readonly PlannedAction[], claims: readonly NodeClaim[]): string | undefined {
  for (const planned of actions) {
    if (planned.action === 'drain-node' || planned.action === 'terminate-instance') return planned.target.node;
    if (planned.action !== 'mark-drift') continue;
    return claims.find(({ metadata }) => metadata.name === planned.target.nodeClaim)?.status?.nodeName;
  }
  return undefined;
}

/** Whether the actions disturb this application: where they take a node, one of its ready pods is there. */
export function isReached(before: Before, actions: readonly PlannedAction[]): boolean {
  const node = nodeTaken(actions, before.claims);
  return node === undefined || readyPods(before).some(({ spec }) => spec.nodeName === node);
}
