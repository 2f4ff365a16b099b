import type { Pod } from '../../cluster/resources.ts';
import type { Container as ContainerSpec } from '../../cluster/specs.ts';
import { type Report, reportOf } from '../kubelet/pod-status.ts';
import { givenUpAt } from '../kubelet/probes.ts';
import { crashesAfter, isRestarted, restartAt } from '../kubelet/restarting.ts';
import { stoppingOf } from '../kubelet/stopping.ts';
import { type Container, endOfLife, hasExited } from '../machines/containers.ts';
import { programOf } from '../machines/images.ts';
import { type Instance, kubeletRuns } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { sameJson } from '../objects/json.ts';
import { isFinished } from '../objects/pods.ts';
import type { Controller, Site } from '../setup/site.ts';
import { reconciler } from './reconciler.ts';

/** Every node's kubelet: pods → containers, containers → pod status. One on a dead machine does nothing and says nothing. */
export function kubelet(machines: Machines): Controller {
  return reconciler({
    name: 'kubelet',
    watches: { Pod: (pod) => (pod.spec.nodeName === undefined ? [] : [keyOf(pod)]) },
    alsoWatches: (_site, add) => machines.onContainerChange(add),
    reaction: 'kubeletReaction',
    reconcile: async (site, key) => {
      const pod = site.cache.get('Pod', key);
      killStrays(machines, key, pod);
      const instance = machines.instanceOfNode(pod?.spec.nodeName ?? '');
      if (pod === undefined || instance === undefined || !kubeletRuns(instance, site.now())) return undefined;
      if (isFinished(pod) && pod.metadata.deletionTimestamp === undefined) return undefined;
      const doing: Doing = { machines, site, pod, key, instance };
      return pod.metadata.deletionTimestamp === undefined ? keepUp(doing) : bringDown(doing);
    },
  });
}

interface Doing {
  readonly machines: Machines;
  readonly site: Site;
  readonly pod: Pod;
  readonly key: string;
  readonly instance: Instance;
}

/** Containers whose pod is gone from the API, or is another one of the same name, are killed (HandlePodCleanups). */
function killStrays(machines: Machines, key: string, pod: Pod | undefined): void {
  for (const container of machines.containersOf(key)) {
    if (container.podUid !== pod?.metadata.uid) machines.remove(container.id);
  }
}

async function keepUp(doing: Doing): Promise<number | undefined> {
  const { machines, site, key, pod } = doing;
  const now = site.now();
  const there = machines.containersOf(key);
  if (there.length === 0) startAll(doing);
  const exited = there.filter((container) => hasExited(container, now) && isRestarted(pod, container));
  for (const container of exited) if (restartAt(container) <= now) restart(doing, container);
  const fails = failures(doing);
  for (const { container, at } of fails)
    if (at <= now) stop(doing, container, pod.spec.terminationGracePeriodSeconds ?? 30);
  const { changesAt = Number.POSITIVE_INFINITY } = await report(doing);
  const ends = machines.containersOf(key).flatMap(({ exitsAt }) => exitsAt ?? []);
  const later = [changesAt, ...exited.map(restartAt), ...fails.map(({ at }) => at), ...ends].filter((at) => at > now);
  const next = Math.min(...later);
  return Number.isFinite(next) ? (next - now) / 1000 : undefined;
}

/** When each container that runs is given up by its probes. */
function failures({ machines, pod, key }: Doing) {
  return machines.containersOf(key).flatMap((container) => {
    const spec = pod.spec.containers.find(({ name }) => name === container.name);
    const isProbed = spec?.livenessProbe !== undefined || spec?.startupProbe !== undefined;
    if (spec === undefined || !isProbed || container.exitsAt !== undefined) return [];
    return [{ container, at: givenUpAt(container, spec) }];
  });
}

/** The grace period runs from the moment the kubelet hears of it; when all have exited the pod is deleted for good. */
async function bringDown(doing: Doing): Promise<number | undefined> {
  const { machines, site, key, pod } = doing;
  for (const container of machines.containersOf(key))
    stop(doing, container, pod.metadata.deletionGracePeriodSeconds ?? 30);
  const now = site.now();
  const containers = machines.containersOf(key);
  const reapedAt = Math.max(now, ...containers.map((container) => container.reapedAt ?? now));
  await report(doing);
  if (reapedAt > now) return (nextNewsAt(doing, reapedAt) - now) / 1000;
  for (const container of containers) machines.remove(container.id);
  await site.cluster.delete('Pod', placeOf(key), { uid: pod.metadata.uid ?? '', gracePeriodSeconds: 0 });
  return undefined;
}

function nextNewsAt({ machines, site, pod, key, instance }: Doing, latest: number): number {
  return Math.min(latest, reportOf(pod, machines.containersOf(key), instance, site.now()).changesAt ?? latest);
}

function stop({ machines, site, pod }: Doing, container: Container, graceSeconds: number): void {
  if (container.stopGraceSeconds !== undefined && container.stopGraceSeconds <= graceSeconds) return;
  const spec = pod.spec.containers.find(({ name }) => name === container.name);
  const quitsSeconds = site.delay(programOf(container.image).quits);
  machines.stop(container.id, {
    ...stoppingOf(spec, graceSeconds, quitsSeconds),
    reapedSeconds: site.delay('podCleanup'),
  });
}

async function report({ machines, site, pod, key, instance }: Doing): Promise<Report> {
  const reported = reportOf(pod, machines.containersOf(key), instance, site.now());
  const { status } = reported;
  if (!sameJson({ ...pod.status, ...status }, pod.status))
    await site.cluster.patch('Pod', placeOf(key), { type: 'merge', value: { status } }, { subresource: 'status' });
  return reported;
}

function startAll(doing: Doing): void {
  const { machines, site, pod, instance } = doing;
  const now = site.now();
  const address = pod.spec.hostNetwork ? instance.address : machines.podAddress(instance.id);
  const sandboxAt = now + 1000 * site.delay('podSandbox');
  for (const spec of pod.spec.containers) {
    const pulledAt = imageAt(doing, spec.image, sandboxAt);
    machines.start(containerOf(doing, spec, { address, createdAt: now, readyToStartAt: pulledAt, restarts: 0 }));
  }
}

/** When the image is on the machine's disk: it is pulled when it is not. */
function imageAt({ machines, site, instance }: Doing, image: string, from: number): number {
  const known = machines.instance(instance.id)?.images[image];
  const at = Math.max(from, known ?? from + 1000 * site.delay('imagePull'));
  if (known === undefined) machines.setImagePulled(instance.id, image, at);
  return at;
}

function restart(doing: Doing, container: Container): void {
  const spec = doing.pod.spec.containers.find(({ name }) => name === container.name);
  if (spec === undefined) return;
  doing.machines.remove(container.id);
  const at = doing.site.now();
  const { address, restarts } = container;
  const begun = { address, createdAt: container.createdAt, readyToStartAt: at, restarts: restarts + 1 };
  doing.machines.start({
    ...containerOf(doing, spec, begun),
    crashes: crashesAfter(container),
    last: endOfLife(container),
  });
}

interface Beginning {
  readonly address: string;
  readonly createdAt: number;
  readonly readyToStartAt: number;
  readonly restarts: number;
}

function containerOf({ site, pod, key, instance }: Doing, spec: ContainerSpec, beginning: Beginning): Container {
  const { readyToStartAt, ...begun } = beginning;
  const program = programOf(spec.image);
  const startsAt = readyToStartAt + 1000 * site.delay('containerStart');
  const ports = (spec.ports ?? []).map(({ containerPort }) => containerPort);
  return {
    ...begun,
    id: `${pod.metadata.uid}/${spec.name}/${beginning.restarts}`,
    podKey: key,
    podUid: pod.metadata.uid ?? '',
    name: spec.name,
    image: spec.image,
    instanceId: instance.id,
    ports: ports.length > 0 && !program.hasOwnPorts ? ports : program.ports,
    startsAt,
    listensAt: startsAt + 1000 * site.delay(program.listens),
    seenAt: startsAt + 1000 * site.delay('kubeletRelist'),
  };
}
