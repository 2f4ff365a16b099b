import type { Condition } from '../../cluster/metadata.ts';
import type { Deployment, ReplicaSet } from '../../cluster/resources.ts';
import type { Stated } from '../objects/conditions.ts';
import { instantOf, timestamp } from '../objects/timestamps.ts';
import { surgeOf, unavailableOf } from './rollout.ts';

type Status = NonNullable<Deployment['status']>;

/** A condition of a Deployment also says when its owner last looked. */
interface DeploymentCondition extends Condition {
  readonly lastUpdateTime?: string;
}

/** The sets as they are → the Deployment's status at that instant (pkg/controller/deployment/progress.go). */
export function deploymentStatus(wanted: Deployment, { current, sets, isNew }: Sets, at: number): Status {
  const counts = countsOf(wanted, current, sets);
  const before = wanted.status?.conditions ?? [];
  const name = current?.metadata.name ?? '';
  const progress = isNew ? begun(name) : progressing(wanted, name, counts, at);
  const conditions = [available(wanted, counts), progress];
  return { ...counts, conditions: conditions.reduce((all, one) => withCondition(all, one, at), before) };
}

/** When a rollout that makes no progress will have failed, epoch milliseconds; undefined while none is under way. */
export function deadlineOf({ spec, status }: Deployment): number | undefined {
  const condition = progressOf(status);
  if (condition === undefined || unhurried.includes(condition.reason ?? '')) return undefined;
  const since = condition.lastUpdateTime ?? condition.lastTransitionTime ?? '';
  return instantOf(since) + 1000 * (spec.progressDeadlineSeconds ?? 600);
}

/** A Deployment's sets: the one of its template, which may have been made just now, and all. */
export interface Sets {
  readonly current: ReplicaSet | undefined;
  readonly sets: readonly ReplicaSet[];
  readonly isNew: boolean;
}

type Counts = Required<Omit<Status, 'conditions'>>;

function countsOf(wanted: Deployment, current: ReplicaSet | undefined, sets: readonly ReplicaSet[]): Counts {
  const sum = (count: (set: ReplicaSet) => number | undefined) => sets.reduce((all, set) => all + (count(set) ?? 0), 0);
  const availableReplicas = sum((set) => set.status?.availableReplicas);
  return {
    observedGeneration: wanted.metadata.generation ?? 1,
    replicas: sum((set) => set.status?.replicas),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sum((set) => set.status?.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, sum((set) => set.spec.replicas ?? 1) - availableReplicas),
  };
}

function available(wanted: Deployment, { availableReplicas }: Counts): Stated {
  const needed = (wanted.spec.replicas ?? 1) - unavailableOf(wanted, surgeOf(wanted));
  return availableReplicas >= needed
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
}

type Progress = Stated & { readonly type: 'Progressing' };

const said = (status: Stated['status'], reason: string, message: string): Progress => ({
  type: 'Progressing',
  status,
  reason,
  message,
});

const begun = (name: string): Progress => said('True', 'NewReplicaSetCreated', `Created new replica set "${name}"`);

/** A rollout that was completed stays so until there is another one; one without progress fails at its deadline. */
function progressing(wanted: Deployment, name: string, counts: Counts, at: number): Stated {
  const before = progressOf(wanted.status);
  const set = `ReplicaSet "${name}"`;
  if (wanted.spec.paused) return said('Unknown', 'DeploymentPaused', 'Deployment is paused');
  const isDone = before?.reason === 'NewReplicaSetAvailable' && counts.replicas === counts.updatedReplicas;
  if (isDone || isComplete(wanted, counts))
    return said('True', 'NewReplicaSetAvailable', `${set} has successfully progressed.`);
  if (before === undefined) return said('True', 'FoundNewReplicaSet', `Found new replica set "${name}"`);
  if (hasMoved(wanted.status, counts)) return said('True', 'ReplicaSetUpdated', `${set} is progressing.`);
  if (before.reason === 'DeploymentPaused') return said('Unknown', 'DeploymentResumed', 'Deployment is resumed');
  const isLate = at > (deadlineOf(wanted) ?? Number.POSITIVE_INFINITY);
  return isLate ? said('False', 'ProgressDeadlineExceeded', `${set} has timed out progressing.`) : before;
}

const progressOf = (status: Status | undefined): DeploymentCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Progressing');

const unhurried = ['ProgressDeadlineExceeded', 'DeploymentPaused', 'NewReplicaSetAvailable'];

function isComplete({ spec }: Deployment, { replicas, updatedReplicas, availableReplicas }: Counts): boolean {
  const all = spec.replicas ?? 1;
  return updatedReplicas === all && replicas === all && availableReplicas === all;
}

/** More of the new, fewer of the old, more that are ready or available (DeploymentProgressing). */
function hasMoved(before: Status | undefined, now: Counts): boolean {
  const old = { replicas: 0, updatedReplicas: 0, readyReplicas: 0, availableReplicas: 0, ...before };
  return (
    now.updatedReplicas > old.updatedReplicas ||
    now.replicas - now.updatedReplicas < old.replicas - old.updatedReplicas ||
    now.readyReplicas > old.readyReplicas ||
    now.availableReplicas > old.availableReplicas
  );
}

/** Equal in status and reason, nothing of it changes, but for the progress, which is noted each time. */
function withCondition(all: readonly Condition[], stated: Stated, at: number): readonly Condition[] {
  const before = all.find(({ type }) => type === stated.type);
  const isSame = before?.status === stated.status && before?.reason === stated.reason;
  if (before !== undefined && isSame && stated.reason !== 'ReplicaSetUpdated') return all;
  if (stated === before) return all;
  const now = timestamp(at);
  const lastTransitionTime = before?.status === stated.status ? before.lastTransitionTime : now;
  const { type, status, reason, message } = stated;
  const next = { type, status, reason, message, lastUpdateTime: now, lastTransitionTime } as DeploymentCondition;
  return before === undefined ? [...all, next] : all.map((one) => (one === before ? next : one));
}
