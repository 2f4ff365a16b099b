import { isCordoned } from '../../cluster/pods.ts';
import type { PlannedAction } from '../actions/index.ts';
import { type Before, isPoolNode } from '../observe/snapshot.ts';
import type { Settings } from '../settings.ts';
/**
 * Pure. What makes capacity lack: every node of the pool that takes new pods is cordoned, but for those named. It is undone,
 * touches nothing that runs, and does not depend on how much room there is.
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
