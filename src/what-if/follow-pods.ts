import type { EmbeddedCluster, Kinds } from '@holdfast/embedded-cluster';
import { keyOf } from '../copy/copy.ts';
import type { Workload } from './answer-shape.ts';
import { idOf, isOfNode, type WorkloadOf } from './workloads-of.ts';

type Pod = Kinds['Pod'];

/** The ready pods of a workload over time. */
export interface Course {
  readonly workload: Workload;
  /** The nodes of its pods when the action began. */
  readonly nodes: ReadonlySet<string>;
  readonly readyBefore: number;
  ready: number;
  least: number;
  /** Since when there has been no ready pod, epoch milliseconds. */
  downSince: number | undefined;
  /** How long there was none, until the last time that there was one again, milliseconds. */
  downMs: number;
  /** When it was last ready where it no longer ran, as the API still said, epoch milliseconds. */
  deadUntil: number | undefined;
}

export interface Followed {
  readonly courses: ReadonlyMap<string, Course>;
  readonly pods: ReadonlyMap<string, Pod>;
  /** When a pod last changed, epoch milliseconds. */
  lastChangeAt(): number;
  /** From now on nothing on these nodes is ready, whatever the API says. */
  lose(nodes: readonly string[]): void;
}

/**
 * Follows the pods of the cluster from now on until the signal is aborted. Resolves when it knows all that are there.
 */
export async function followPods(
  cluster: EmbeddedCluster,
  workloadOf: WorkloadOf,
  signal: AbortSignal,
): Promise<Followed> {
  const pods = new Map<string, Pod>();
  const courses = new Map<string, Course>();
  const lost = new Set<string>();
  const following: Following = { cluster, workloadOf, pods, courses, lost, lastChangeAt: cluster.clock.wallAt() };
  const { promise: known, resolve, reject } = Promise.withResolvers<void>();
  follow(following, resolve, signal).catch((error: unknown) => (signal.aborted ? undefined : reject(error)));
  await known;
  return {
    courses,
    pods,
    lastChangeAt: () => following.lastChangeAt,
    lose: (nodes) => {
      const hit = [...pods.values()].filter((pod) => nodes.includes(pod.spec.nodeName ?? ''));
      for (const pod of hit) step(following, pod, -ready(following, pod));
      for (const node of nodes) lost.add(node);
    },
  };
}

interface Following extends Pick<Followed, 'pods' | 'courses'> {
  readonly cluster: EmbeddedCluster;
  readonly workloadOf: WorkloadOf;
  readonly pods: Map<string, Pod>;
  readonly courses: Map<string, Course>;
  readonly lost: Set<string>;
  lastChangeAt: number;
}

async function follow(following: Following, known: () => void, signal: AbortSignal): Promise<void> {
  const { cluster, courses, pods, workloadOf } = following;
  for await (const change of cluster.kubernetes('what-if').watch('Pod', {}, signal)) {
    if (change.type !== 'synced')
      put(following, keyOf(change.object), change.type === 'deleted' ? undefined : change.object);
    else if (courses.size === 0) begin(courses, pods, workloadOf);
    if (change.type === 'synced') known();
  }
}

function put(following: Following, key: string, next: Pod | undefined): void {
  const { pods, lost, cluster } = following;
  const before = pods.get(key);
  following.lastChangeAt = cluster.clock.wallAt();
  if (next === undefined) pods.delete(key);
  else pods.set(key, next);
  const pod = next ?? before;
  if (pod === undefined) return;
  step(following, pod, ready(following, next) - ready(following, before));
  const course = wasDead(before, next, lost) ? courseOf(following, pod) : undefined;
  if (course !== undefined) course.deadUntil = following.lastChangeAt;
}

const ready = ({ lost }: Following, pod: Pod | undefined): 0 | 1 =>
  pod !== undefined && isServing(pod) && !lost.has(pod.spec.nodeName ?? '') ? 1 : 0;

const courseOf = ({ courses, workloadOf }: Following, pod: Pod): Course | undefined =>
  isOfNode(pod) ? undefined : courses.get(idOf(workloadOf(pod)));

function step(following: Following, pod: Pod, by: number): void {
  const course = by === 0 ? undefined : courseOf(following, pod);
  if (course !== undefined) changed(course, course.ready + by, following.cluster.clock.wallAt());
}

/** Whether its Services send requests to it. */
function isServing({ metadata, status }: Pod): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && metadata.deletionTimestamp === undefined;
}

/** Whether the API has just learnt that a pod on a lost node is not ready. */
const wasDead = (before: Pod | undefined, next: Pod | undefined, lost: ReadonlySet<string>): boolean =>
  before !== undefined &&
  lost.has(before.spec.nodeName ?? '') &&
  isServing(before) &&
  (next === undefined || !isServing(next));

function begin(courses: Map<string, Course>, pods: ReadonlyMap<string, Pod>, workloadOf: WorkloadOf): void {
  const found = Map.groupBy(
    [...pods.values()].filter((pod) => !isOfNode(pod) && !isFinished(pod)),
    (pod) => idOf(workloadOf(pod)),
  );
  for (const [id, all] of found) {
    const [first] = all;
    const ready = all.filter(isServing).length;
    if (first === undefined) continue;
    courses.set(id, {
      workload: workloadOf(first),
      nodes: new Set(all.flatMap(({ spec }) => spec.nodeName ?? [])),
      readyBefore: ready,
      ready,
      least: ready,
      downSince: undefined,
      downMs: 0,
      deadUntil: undefined,
    });
  }
}

const isFinished = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

function changed(course: Course, ready: number, at: number): void {
  course.ready = ready;
  course.least = Math.min(course.least, ready);
  if (ready === 0) course.downSince ??= at;
  if (ready === 0 || course.downSince === undefined) return;
  course.downMs += at - course.downSince;
  course.downSince = undefined;
}
