import type { EmbeddedCluster, Kinds } from '@holdfast/embedded-cluster';
import type { WorkloadAction } from './answer-shape.ts';
import type { Followed } from './follow-pods.ts';
import { idOf, type WorkloadOf } from './workloads-of.ts';

type Pod = Kinds['Pod'];

/** As `kubectl rollout restart` sets it: a change of the pod template is a rolling update. */
const annotation = 'kubectl.kubernetes.io/restartedAt';

/**
 * A rolling update, or another number of replicas. Resolves when the workload has as many ready pods as it wants, each
 * of its present template, and no other.
 */
export async function changeWorkload(
  cluster: EmbeddedCluster,
  followed: Followed,
  workloadOf: WorkloadOf,
  action: WorkloadAction,
  signal: AbortSignal,
): Promise<void> {
  const { clock } = cluster;
  const restartedAt = new Date(clock.wallAt()).toISOString();
  const { kind, namespace, name } = action.workload;
  const template = { metadata: { annotations: { [annotation]: restartedAt } } };
  const spec = action.kind === 'scale' ? { replicas: action.replicas } : { template };
  const client = cluster.kubernetes('what-if');
  const changed = await client.patch(kind, { namespace, name }, { type: 'merge', value: { spec } });
  const wanted = changed.spec.replicas ?? 1;
  const isPresent = (pod: Pod) => action.kind === 'scale' || pod.metadata.annotations?.[annotation] === restartedAt;
  const isDone = () => {
    const pods = [...followed.pods.values()].filter((pod) => idOf(workloadOf(pod)) === idOf(action.workload));
    return pods.length === wanted && pods.every((pod) => isPresent(pod) && isReady(pod));
  };
  while (!isDone() && !signal.aborted) await clock.sleep(1, signal).catch(() => undefined);
}

const isReady = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
