import type { Action } from './action.ts';
import { applyObject } from './apply-object.ts';
import { cordonNode } from './cordon-node.ts';
import { deleteDnsRecord } from './delete-dns-record.ts';
import { deletePod } from './delete-pod.ts';
import { drainNode } from './drain-node.ts';
import { loadByJob } from './load-by-job.ts';
import { markDrift } from './mark-drift.ts';
import { setBudget, setConsolidateAfter } from './node-pool-field.ts';
import { pauseAutoscaler } from './pause-autoscaler.ts';
import { pauseDeployment } from './pause-deployment.ts';
import { rollOut } from './roll-out.ts';
import { scale } from './scale.ts';
import { sendLoad } from './send-load.ts';
import { startProbe } from './start-probe.ts';
import { terminateInstance } from './terminate-instance.ts';
import { terminateZone } from './terminate-zone.ts';

/**
 * Every action by its name: a plan names its actions, and `recover` finds the undo of an action that it reads in a
 * journal.
 */
export const actions = {
  'apply-object': applyObject,
  'cordon-node': cordonNode,
  'delete-dns-record': deleteDnsRecord,
  'delete-pod': deletePod,
  'drain-node': drainNode,
  'load-by-job': loadByJob,
  'mark-drift': markDrift,
  'pause-autoscaler': pauseAutoscaler,
  'pause-deployment': pauseDeployment,
  'roll-out': rollOut,
  scale,
  'send-load': sendLoad,
  'set-budget': setBudget,
  'set-consolidate-after': setConsolidateAfter,
  'start-probe': startProbe,
  'terminate-instance': terminateInstance,
  'terminate-zone': terminateZone,
} as const;

/** By a name of this or of another version, such as one in a journal. */
export const actionNamed = (name: string): Action<unknown, unknown> | undefined =>
  Object.hasOwn(actions, name) ? (actions[name as ActionName] as Action<unknown, unknown>) : undefined;

/** The action of a plan. */
export const actionOf = ({ action }: PlannedAction): Action<unknown, unknown> =>
  actions[action] as Action<unknown, unknown>;

export type ActionName = keyof typeof actions;
type TargetOf<N extends ActionName> = Parameters<(typeof actions)[N]['prepare']>[1];
export type PlannedAction = {
  readonly [N in ActionName]: { readonly action: N; readonly target: TargetOf<N> };
}[ActionName];
