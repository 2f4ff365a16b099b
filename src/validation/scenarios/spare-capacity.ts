import { isCordoned } from '../../cluster/pods.ts';
import type { PlannedAction } from '../actions/index.ts';
import { type Before, isPoolNode } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';

/**
 * The actions that take the pool's spare capacity away: they cordon every node of the pool that takes new pods, except
 * those named. They are undone, disturb no running pod, and work with any amount of room.
 */
export function withoutSpareCapacity(
  { nodes }: Pick<Before, 'nodes'>,
  settings: Settings,
  except: readonly string[] = [],
): readonly Extract<PlannedAction, { readonly action: 'cordon-node' }>[] {
  return nodes
    .filter((node) => isPoolNode(node, settings) && !isCordoned(node) && !except.includes(node.metadata.name))
    .map(({ metadata }) => ({ action: 'cordon-node', target: { node: metadata.name } }));
}
