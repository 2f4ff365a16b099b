import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { Pod } from '../../../src/cluster/resources.ts';
import { nodeHost } from '../../../src/host/node.ts';

const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

/** A node of four processors that is ready, and whose kubelet reports nothing more. */
export async function addNode(
  cluster: Cluster,
  name: string,
  more: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly spec?: object;
    readonly resources?: object;
  } = {},
): Promise<void> {
  const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', ...more.labels };
  await cluster.create({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: { ...more.spec } });
  const { resources = { cpu: '4', memory: '8Gi', pods: '110' } } = more;
  const of = (type: string, status: string) => ({
    type,
    status,
    reason: 'Kubelet',
    message: '',
    lastHeartbeatTime: now(),
    lastTransitionTime: now(),
  });
  const conditions = [of('Ready', 'True'), ...['MemoryPressure', 'DiskPressure'].map((type) => of(type, 'False'))];
  const status = { capacity: resources, allocatable: resources, conditions };
  await cluster.patch('Node', { name }, { type: 'strategic', value: { status } }, { subresource: 'status' });
}

/** Reports these nodes as ready every ten seconds, so that no controller finds them silent. */
export async function keepReady(cluster: Cluster, names: readonly string[], signal: AbortSignal): Promise<void> {
  const { clock } = nodeHost();
  while (!signal.aborted) {
    for (const name of names) {
      const status = { conditions: [{ type: 'Ready', lastHeartbeatTime: now() }] };
      await cluster.patch('Node', { name }, { type: 'strategic', value: { status } }, { subresource: 'status' });
    }
    await clock.sleep(10, signal).catch(() => undefined);
  }
}

/**
 * Plays the kubelets: pods that are bound run and are ready, those of Jobs have succeeded, and deleted ones are gone.
 */
export async function playKubelets(cluster: Cluster, signal: AbortSignal): Promise<void> {
  const started = new Set<string>();
  for await (const change of cluster.watch('Pod', {}, signal))
    if (change.type === 'added' || change.type === 'modified') await react(cluster, change.object, started);
}

async function react(cluster: Cluster, pod: Pod, started: Set<string>): Promise<void> {
  const { metadata, spec } = pod;
  const { uid = '', deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined) return void (await cluster.delete('Pod', metadata, { gracePeriodSeconds: 0 }));
  if (spec.nodeName === undefined || started.has(uid)) return;
  started.add(uid);
  const value = { status: statusOf(pod, `10.50.0.${started.size}`) };
  await cluster.patch('Pod', metadata, { type: 'strategic', value }, { subresource: 'status' });
}

function statusOf({ spec }: Pod, podIP: string): object {
  const ended = spec.restartPolicy === 'Never';
  const state = ended
    ? { terminated: { exitCode: 0, reason: 'Completed', startedAt: now(), finishedAt: now() } }
    : { running: { startedAt: now() } };
  const ready = (type: string) => ({ type, status: ended ? 'False' : 'True', lastTransitionTime: now() });
  return {
    phase: ended ? 'Succeeded' : 'Running',
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: now(),
    conditions: [ready('Ready'), ready('ContainersReady')],
    containerStatuses: spec.containers.map(({ name, image }) => ({
      name,
      image,
      imageID: String(image),
      ready: !ended,
      restartCount: 0,
      state,
    })),
  };
}
