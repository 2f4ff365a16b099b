import type { Condition } from '../kubernetes/metadata.ts';
import type { Deployment, ReplicaSet } from '../kubernetes/resources.ts';
import type { Stated } from '../objects/conditions.ts';
import { instantOf, timestamp } from '../objects/timestamps.ts';
import { surgeOf, unavailableOf } from './rollout.ts';

type Status = NonNullable<Deployment['status']>;

/** apps/v1 DeploymentCondition has `lastUpdateTime` besides. */
interface DeploymentCondition extends Condition {
  readonly lastUpdateTime?: string;
}

/**
 * A Deployment and its sets → its status at that instant, epoch milliseconds (pkg/controller/deployment/progress.go).
 */
export function deploymentStatus(wanted: Deployment, { current, sets, isNew }: Sets, at: number): Status {
  const counts = countsOf(wanted, current, sets);
  const before = wanted.status?.conditions ?? [];
  const name = current?.metadata.name ?? '';
  const progressCondition = isNew ? created(name) : progressing(wanted, name, counts, at);
  const conditions = [available(wanted, counts), progressCondition];
  return { ...counts, conditions: conditions.reduce((all, one) => withCondition(all, one, at), before) };
}

/** When a rollout without progress fails, epoch milliseconds; undefined while no rollout is in progress. */
export function deadlineOf({ spec, status }: Deployment): number | undefined {
  const condition = progressOf(status);
  if (condition === undefined || withoutDeadline.includes(condition.reason ?? '')) return undefined;
  const since = condition.lastUpdateTime ?? condition.lastTransitionTime ?? '';
  return instantOf(since) + 1000 * (spec.progressDeadlineSeconds ?? 600);
}

/** A Deployment's ReplicaSets: the one of its template, which was just created if `isNew`, and all. */
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

type ProgressCondition = Stated & { readonly type: 'Progressing' };

const progress = (status: Stated['status'], reason: string, message: string): ProgressCondition => ({
  type: 'Progressing',
  status,
  reason,
  message,
});

const created = (name: string): ProgressCondition =>
  progress('True', 'NewReplicaSetCreated', `Created new replica set "${name}"`);

/** A completed rollout stays completed until the next one; a rollout without progress fails at its deadline. */
function progressing(wanted: Deployment, name: string, counts: Counts, at: number): Stated {
  const before = progressOf(wanted.status);
  const set = `ReplicaSet "${name}"`;
  if (wanted.spec.paused) return progress('Unknown', 'DeploymentPaused', 'Deployment is paused');
  const isDone = before?.reason === 'NewReplicaSetAvailable' && counts.replicas === counts.updatedReplicas;
  if (isDone || isComplete(wanted, counts))
    return progress('True', 'NewReplicaSetAvailable', `${set} has successfully progressed.`);
  if (before === undefined) return progress('True', 'FoundNewReplicaSet', `Found new replica set "${name}"`);
  if (hasProgressed(wanted.status, counts)) return progress('True', 'ReplicaSetUpdated', `${set} is progressing.`);
  if (before.reason === 'DeploymentPaused') return progress('Unknown', 'DeploymentResumed', 'Deployment is resumed');
  const isLate = at > (deadlineOf(wanted) ?? Number.POSITIVE_INFINITY);
  return isLate ? progress('False', 'ProgressDeadlineExceeded', `${set} has timed out progressing.`) : before;
}

const progressOf = (status: Status | undefined): DeploymentCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Progressing');

/** Reasons of the condition Progressing with which no deadline runs. */
const withoutDeadline = ['ProgressDeadlineExceeded', 'DeploymentPaused', 'NewReplicaSetAvailable'];

function isComplete({ spec }: Deployment, { replicas, updatedReplicas, availableReplicas }: Counts): boolean {
  const all = spec.replicas ?? 1;
  return updatedReplicas === all && replicas === all && availableReplicas === all;
}

/** More updated, fewer old, or more ready or available replicas (deployment_util.go, DeploymentProgressing). */
function hasProgressed(before: Status | undefined, now: Counts): boolean {
  const old = { replicas: 0, updatedReplicas: 0, readyReplicas: 0, availableReplicas: 0, ...before };
  return (
    now.updatedReplicas > old.updatedReplicas ||
    now.replicas - now.updatedReplicas < old.replicas - old.updatedReplicas ||
    now.readyReplicas > old.readyReplicas ||
    now.availableReplicas > old.availableReplicas
  );
}

/**
 * A condition with the same status and reason stays as it is, except ReplicaSetUpdated, which renews `lastUpdateTime`;
 * one that changes goes to the end (deployment_util.go, SetDeploymentCondition).
 */
function withCondition(all: readonly Condition[], stated: Stated, at: number): readonly Condition[] {
  const before = all.find(({ type }) => type === stated.type);
  const isSame = before?.status === stated.status && before?.reason === stated.reason;
  if (before !== undefined && isSame && stated.reason !== 'ReplicaSetUpdated') return all;
  if (stated === before) return all;
  const now = timestamp(at);
  const lastTransitionTime = before?.status === stated.status ? before.lastTransitionTime : now;
  const { type, status, reason, message } = stated;
  const next = { type, status, reason, message, lastUpdateTime: now, lastTransitionTime } as DeploymentCondition;
  return [...all.filter((one) => one !== before), next];
}
