import { applyObject } from './apply-object.ts';
import { deletePod } from './delete-pod.ts';
import { drainNode } from './drain-node.ts';
import { scale } from './scale.ts';

/** Every action by its name: how a plan asks for one, and how `recover` finds the undo of one that it reads in a journal. */
export const actions = {
  'apply-object': applyObject,
  scale,
  'delete-pod': deletePod,
  'drain-node': drainNode,
} as const;

export type ActionName = keyof typeof actions;
type TargetOf<N extends ActionName> = Parameters<(typeof actions)[N]['prepare']>[1];
export type PlannedAction = {
  readonly [N in ActionName]: { readonly action: N; readonly target: TargetOf<N> };
}[ActionName];
