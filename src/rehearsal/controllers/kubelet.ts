import type { Pod } from '../../cluster/resources.ts';
import type { Container as ContainerSpec } from '../../cluster/specs.ts';
import { namedPorts, ownPorts } from '../kubelet/listening.ts';
import { type Report, reportOf } from '../kubelet/pod-status.ts';
import { probeFailsAt } from '../kubelet/probes.ts';
import { crashesAfter, endsByItself, isRestarted, restartAt } from '../kubelet/restarting.ts';
import { stoppingOf } from '../kubelet/stopping.ts';
import { type Container, endOfLife, hasExited, interruptedExitCode } from '../machines/containers.ts';
import { programOf } from '../machines/images.ts';
import { type Instance, kubeletRuns } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { sameJson } from '../objects/json.ts';
import { defaultGraceSeconds, isFinished } from '../objects/pods.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { ApplicationBehaviour } from '../setup/setup.ts';
import type { Controller, Site } from '../setup/site.ts';

/** The kubelets of all nodes: pods → containers, containers → pod status. On a machine that is off nothing happens. */
export function kubelet(
  machines: Machines,
  application: Pick<ApplicationBehaviour, 'isOwn' | 'onSigterm'> = { isOwn: false, onSigterm: 'closes' },
): Controller {
  return reconciler({
    name: 'kubelet',
    watches: { Pod: (pod) => (pod.spec.nodeName === undefined ? [] : [keyOf(pod)]) },
    alsoWatches: (_site, add) => machines.onContainerChange(add),
    reaction: 'kubeletReaction',
    reconcile: async (site, key) => {
      const pod = site.cache.get('Pod', key);
      killOrphanedContainers(machines, key, pod);
      const instance = machines.instanceOfNode(pod?.spec.nodeName ?? '');
      if (pod === undefined || instance === undefined || !kubeletRuns(instance, site.now())) return undefined;
      if (isFinished(pod) && pod.metadata.deletionTimestamp === undefined) return undefined;
      const work: PodWork = { machines, site, pod, key, instance, application };
      return pod.metadata.deletionTimestamp === undefined ? syncPod(work) : syncTerminatingPod(work);
    },
  });
}

/** One pod on its node, as a pod worker of the kubelet has it. */
interface PodWork {
  readonly machines: Machines;
  readonly site: Site;
  readonly pod: Pod;
  readonly key: string;
  readonly instance: Instance;
  readonly application: Pick<ApplicationBehaviour, 'isOwn' | 'onSigterm'>;
}

/** Kills containers whose pod is gone from the API, or was replaced by one of the same name (HandlePodCleanups). */
function killOrphanedContainers(machines: Machines, key: string, pod: Pod | undefined): void {
  for (const container of machines.containersOf(key)) {
    if (container.podUid !== pod?.metadata.uid) machines.remove(container.id);
  }
}

async function syncPod(work: PodWork): Promise<number | undefined> {
  const { machines, site, key, pod } = work;
  const now = site.now();
  const existing = machines.containersOf(key);
  if (existing.length === 0) startAll(work);
  const exited = existing.filter((container) => hasExited(container, now) && isRestarted(pod, container));
  for (const container of exited) if (restartAt(container) <= now) restart(work, container);
  const failures = probeFailures(work);
  for (const { container, at } of failures)
    if (at <= now) stop(work, container, pod.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds);
  const { changesAt = Number.POSITIVE_INFINITY } = await report(work);
  const ends = machines.containersOf(key).flatMap(({ exitsAt }) => exitsAt ?? []);
  const later = [changesAt, ...exited.map(restartAt), ...failures.map(({ at }) => at), ...ends].filter(
    (at) => at > now,
  );
  const next = Math.min(...later);
  return Number.isFinite(next) ? (next - now) / 1000 : undefined;
}

/** When the startup or liveness probe of each probed container fails for good, epoch milliseconds. */
function probeFailures({ machines, pod, key }: PodWork) {
  return machines.containersOf(key).flatMap((container) => {
    const spec = pod.spec.containers.find(({ name }) => name === container.name);
    const isProbed = spec?.livenessProbe !== undefined || spec?.startupProbe !== undefined;
    if (spec === undefined || !isProbed || container.exitsAt !== undefined) return [];
    return [{ container, at: probeFailsAt(container, spec) }];
  });
}

/** The grace period runs from the moment the kubelet sees the deletion; when all containers are cleaned up the pod is removed. */
async function syncTerminatingPod(work: PodWork): Promise<number | undefined> {
  const { machines, site, key, pod } = work;
  for (const container of machines.containersOf(key))
    stop(work, container, pod.metadata.deletionGracePeriodSeconds ?? defaultGraceSeconds, 'pod');
  const now = site.now();
  const containers = machines.containersOf(key);
  const reapedAt = Math.max(now, ...containers.map((container) => container.reapedAt ?? now));
  await report(work);
  if (reapedAt > now) return (nextChangeAt(work, reapedAt) - now) / 1000;
  for (const container of containers) machines.remove(container.id);
  await site.cluster.delete('Pod', placeOf(key), { uid: pod.metadata.uid ?? '', gracePeriodSeconds: 0 });
  return undefined;
}

function nextChangeAt({ machines, site, pod, key, instance }: PodWork, latest: number): number {
  return Math.min(latest, reportOf(pod, machines.containersOf(key), instance, site.now()).changesAt ?? latest);
}

/** `ends`: whether the pod ends with the container, or lives on and restarts it. */
function stop(
  { machines, site, pod, application }: PodWork,
  container: Container,
  graceSeconds: number,
  ends: 'pod' | 'container' = 'container',
): void {
  if (container.stopGraceSeconds !== undefined && container.stopGraceSeconds <= graceSeconds) return;
  const spec = pod.spec.containers.find(({ name }) => name === container.name);
  const quitsSeconds = site.delay(programOf(container.image).quits);
  machines.stop(container.id, {
    ...stoppingOf(spec, graceSeconds, quitsSeconds, application.onSigterm),
    reapedSeconds: site.delay('podCleanup'),
    ...(spec !== undefined && endsByItself(pod, spec) ? { exitCode: interruptedExitCode } : {}),
    ...(ends === 'pod' ? { silencedSeconds: site.delay('sandboxEnds') } : {}),
  });
}

async function report({ machines, site, pod, key, instance }: PodWork): Promise<Report> {
  const reported = reportOf(pod, machines.containersOf(key), instance, site.now());
  const { status } = reported;
  // Its containers may be gone already: a finalizer keeps it.
  if (isFinished(pod)) return reported;
  if (!sameJson({ ...pod.status, ...status }, pod.status))
    await site.cluster.patch('Pod', placeOf(key), { type: 'merge', value: { status } }, { subresource: 'status' });
  return reported;
}

function startAll(work: PodWork): void {
  const { machines, site, pod, instance } = work;
  const now = site.now();
  const address = pod.spec.hostNetwork ? instance.address : machines.podAddress(instance.id);
  const sandboxAt = now + 1000 * site.delay('podSandbox');
  for (const spec of pod.spec.containers) {
    const pulledAt = imageAt(work, spec.image, sandboxAt);
    machines.start(containerOf(work, spec, { address, createdAt: now, readyToStartAt: pulledAt, restarts: 0 }));
  }
}

/** When the image is on the machine's disk, at `from` at the earliest; it is pulled if it is not there. */
function imageAt({ machines, site, instance }: PodWork, image: string, from: number): number {
  const known = machines.instance(instance.id)?.images[image];
  const at = Math.max(from, known ?? from + 1000 * site.delay('imagePull'));
  if (known === undefined) machines.setImagePulled(instance.id, image, at);
  return at;
}

function restart(work: PodWork, container: Container): void {
  const spec = work.pod.spec.containers.find(({ name }) => name === container.name);
  if (spec === undefined) return;
  work.machines.remove(container.id);
  const at = work.site.now();
  const { address, restarts } = container;
  const start = { address, createdAt: container.createdAt, readyToStartAt: at, restarts: restarts + 1 };
  work.machines.start({
    ...containerOf(work, spec, start),
    crashes: crashesAfter(container),
    last: endOfLife(container),
  });
}

/** The start of a container; instants in epoch milliseconds. */
interface Start {
  readonly address: string;
  readonly createdAt: number;
  readonly readyToStartAt: number;
  readonly restarts: number;
}

function containerOf({ site, pod, key, instance, application }: PodWork, spec: ContainerSpec, start: Start): Container {
  const { readyToStartAt, ...known } = start;
  const program = programOf(spec.image);
  const startsAt = readyToStartAt + 1000 * site.delay('containerStart');
  const ends = endsByItself(pod, spec) ? startsAt + 1000 * site.delay('batchRuns') : undefined;
  return {
    ...known,
    id: `${pod.metadata.uid}/${spec.name}/${start.restarts}`,
    podKey: key,
    podUid: pod.metadata.uid ?? '',
    name: spec.name,
    image: spec.image,
    instanceId: instance.id,
    ports: application.isOwn ? ownPorts(spec, pod, site.cache.list('Service')) : namedPorts(spec, program),
    ...(application.isOwn ? { hasEveryPage: true as const } : {}),
    startsAt,
    listensAt: startsAt + 1000 * site.delay(program.listens),
    seenAt: startsAt + 1000 * site.delay('kubeletRelist'),
    ...(ends === undefined ? {} : { closesAt: ends, exitsAt: ends, exitCode: 0 }),
  };
}
