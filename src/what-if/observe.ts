import type { EmbeddedCluster, Kinds } from '@holdfast/embedded-cluster';
import { type Copy, keyOf } from '../copy/copy.ts';
import type { Action, NodeAction } from './answer-shape.ts';
import { changeWorkload } from './change-workload.ts';
import { copiedWorld, type WorldOptions } from './copied-world.ts';
import { drain, type Refusals } from './drain.ts';
import { type Course, type Followed, followPods } from './follow-pods.ts';
import type { Observed, ObservedWorkload } from './observed.ts';
import { idOf, type WorkloadOf, workloadsOf } from './workloads-of.ts';

/** Controllers look at what is there, and place what waits for a place. */
const settlingSeconds = 20;
/**
 * Only after longer does nothing follow any more: a lost node is unreachable for five minutes before its pods are
 * evicted (DefaultTolerationSeconds), and a node of Karpenter is ready within two minutes. A new pod may take as long
 * to become ready as a Deployment waits for progress (progressDeadlineSeconds, 600).
 */
const quietSeconds: Readonly<Record<Action['kind'], number>> = { drain: 180, lose: 420, rollout: 600, scale: 600 };
const longestSeconds = 3600;

/** Runs the action on the copy, until all that was ready is ready again or nothing happens any more. */
export async function observe(copy: Copy, action: Action, options: WorldOptions): Promise<Observed> {
  const workloadOf = workloadsOf(copy);
  const cluster = copiedWorld(copy, workloadOf, options);
  const ended = new AbortController();
  try {
    return await cluster.run(async () => {
      await cluster.clock.sleep(settlingSeconds);
      if (action.kind === 'lose') await cluster.clock.sleep(phaseSeconds(cluster, action, options.pace));
      const nodesBefore = await countNodes(cluster);
      const followed = await followPods(cluster, workloadOf, ended.signal);
      const before = new Set(followed.pods.keys());
      const { beganAt, refusals, durationSeconds } = await acted(cluster, followed, workloadOf, action, ended);
      return {
        workloads: workloadsSeen(followed, action, beganAt),
        refusals: [...refusals].flatMap(([key, because]) => {
          const pod = followed.pods.get(key);
          return pod === undefined ? [] : [{ pod: key, workload: workloadOf(pod), because }];
        }),
        pending: pendingOf(followed, workloadOf, before),
        durationSeconds,
        nodesBefore,
        nodesAfter: await countNodes(cluster),
      };
    });
  } finally {
    ended.abort();
    cluster.close();
  }
}

const countNodes = async (cluster: EmbeddedCluster): Promise<number> =>
  (await cluster.kubernetes('what-if').list('Node')).length;

/**
 * A loss is noticed by a heartbeat that does not come: sooner if the last one is nearly a whole period old. Each node
 * sends its own in the second of the period that its number says (packages/embedded-cluster: kubelet-lease.ts).
 */
function phaseSeconds(
  cluster: EmbeddedCluster,
  { nodes: [first = ''] }: NodeAction,
  pace: WorldOptions['pace'],
): number {
  const { ordinal = 0 } = cluster.machines.instanceOfNode(first) ?? {};
  const sinceBeat = { fastest: 9.9, usual: 5, slowest: 0.1 }[pace];
  return (((ordinal + sinceBeat - settlingSeconds) % heartbeatSeconds) + heartbeatSeconds) % heartbeatSeconds;
}
const heartbeatSeconds = 10;

async function acted(
  cluster: EmbeddedCluster,
  followed: Followed,
  workloadOf: WorkloadOf,
  action: Action,
  ended: AbortController,
) {
  const { clock } = cluster;
  const beganAt = clock.wallAt();
  const refusals: Refusals = new Map();
  let doneAt: number | undefined;
  const done = () => {
    doneAt = clock.wallAt();
  };
  const deed = (): Promise<void> => {
    if ('workload' in action) return changeWorkload(cluster, followed, workloadOf, action, ended.signal);
    if (action.kind === 'lose') return lose(cluster, followed, action.nodes);
    return drain(cluster, followed, action.nodes, refusals, ended.signal);
  };
  deed().then(done, (error: unknown) => (ended.signal.aborted ? undefined : ended.abort(error)));
  const secondsSince = (at: number) => (clock.wallAt() - at) / 1000;
  const isRecovered = () => doneAt !== undefined && [...followed.courses.values()].every(isWhole);
  while (!isRecovered() && secondsSince(beganAt) < longestSeconds) {
    if (secondsSince(Math.max(beganAt, followed.lastChangeAt())) >= quietSeconds[action.kind]) break;
    await clock.sleep(1);
    if (ended.signal.aborted) throw ended.signal.reason;
  }
  const durationSeconds = doneAt === undefined ? undefined : (doneAt - beganAt) / 1000;
  return { beganAt, durationSeconds, refusals };
}

const isWhole = ({ ready, readyBefore, deadUntil, least }: Course): boolean =>
  ready >= readyBefore && (least === readyBefore || deadUntil !== undefined || ready > 0);

/** Of a cloud the instance has ended, so that its Node goes too; any other machine is off, and its Node stays. */
async function lose(cluster: EmbeddedCluster, followed: Followed, nodes: readonly string[]): Promise<void> {
  for (const name of nodes) {
    const instance = cluster.machines.instanceOfNode(name);
    const node = await cluster.kubernetes('what-if').get('Node', { name });
    if (instance === undefined) continue;
    if (clouds.test(node?.spec?.providerID ?? '')) cluster.machines.terminate(instance.id);
    cluster.machines.powerOff(instance.id);
  }
  followed.lose(nodes);
}

const clouds = /^(aws|gce|azure):\/\//;

function workloadsSeen(followed: Followed, action: Action, beganAt: number): readonly ObservedWorkload[] {
  return [...followed.courses.values()]
    .filter((course) => course.least < course.readyBefore || isConcerned(action, course))
    .map((course) => ({
      workload: course.workload,
      readyBefore: wantedReady(action, course),
      readyAfter: course.ready,
      least: course.least,
      downSeconds: course.downSince === undefined || course.readyBefore === 0 ? course.downMs / 1000 : undefined,
      deadSeconds: course.deadUntil === undefined ? 0 : (course.deadUntil - beganAt) / 1000,
    }));
}

const isConcerned = (action: Action, { nodes, workload }: Course): boolean =>
  'nodes' in action ? action.nodes.some((node) => nodes.has(node)) : idOf(workload) === idOf(action.workload);

/** Of a workload that is scaled down, no more than is wanted. */
function wantedReady(action: Action, { readyBefore, workload }: Course): number {
  const isScaled = action.kind === 'scale' && idOf(workload) === idOf(action.workload) && action.replicas > 0;
  return isScaled ? Math.min(readyBefore, action.replicas) : readyBefore;
}

function pendingOf(followed: Followed, workloadOf: WorkloadOf, before: ReadonlySet<string>): Observed['pending'] {
  return [...followed.pods.values()].flatMap((pod: Kinds['Pod']) => {
    const refused = pod.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
    if (pod.spec.nodeName !== undefined || refused?.message === undefined) return [];
    return [{ workload: workloadOf(pod), isNew: !before.has(keyOf(pod)), because: refused.message }];
  });
}
