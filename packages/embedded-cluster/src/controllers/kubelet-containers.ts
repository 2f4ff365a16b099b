import { commandRun, type Run } from '../kubelet/command-run.ts';
import { pullFailure } from '../kubelet/image-pull.ts';
import { namedPorts, ownPorts } from '../kubelet/listening.ts';
import { cpuOf, listensSecondsOf, onSigtermOf, pullSecondsOf, quitsSecondsOf } from '../kubelet/own-behaviour.ts';
import { isInitializing, programIn, specNamed } from '../kubelet/pod-containers.ts';
import { crashesAfter, endsByItself } from '../kubelet/restarting.ts';
import { startsNow } from '../kubelet/start-order.ts';
import { stopOrder } from '../kubelet/stop-order.ts';
import { stoppingOf } from '../kubelet/stopping.ts';
import { areVolumesThere } from '../kubelet/volumes.ts';
import type { Pod } from '../kubernetes/resources.ts';
import type { Container as ContainerSpec } from '../kubernetes/specs.ts';
import { type Container, endOfLife, interruptedExitCode, never, type Unpulled } from '../machines/containers.ts';
import { instanceType } from '../machines/instance-types.ts';
import type { Instance } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import type { OwnBehaviours } from '../machines/own-behaviours.ts';
import { claimKeysOf } from '../objects/claims.ts';
import type { Site } from '../setup/site.ts';

/** One pod on its node, as a pod worker of the kubelet has it. */
export interface PodWork {
  readonly machines: Machines;
  readonly site: Site;
  readonly pod: Pod;
  readonly key: string;
  readonly instance: Instance;
  readonly own: OwnBehaviours | undefined;
  readonly runsProgram: RunsProgram;
  /** The images that no registry has. */
  readonly missingImages: readonly string[];
}
/** Whether a container of this specification really runs a program, and ends with it. */
export type RunsProgram = (spec: Pick<ContainerSpec, 'image' | 'args'>) => boolean;

/** `ends`: whether the pod ends with the container, or lives on and restarts it; `turnAt`: see `Stopping`. */
export function stop(
  work: PodWork,
  container: Container,
  graceSeconds: number,
  { ends, turnAt }: { readonly ends: 'pod' | 'container'; readonly turnAt?: number },
): void {
  if (container.stopGraceSeconds !== undefined && container.stopGraceSeconds <= graceSeconds) return;
  const { machines, site, pod } = work;
  const spec = specNamed(pod, container.name);
  machines.stop(container.id, {
    ...stoppingOf(spec, graceSeconds, quitsSecondsOf(work, container), onSigtermOf(work, container)),
    ...(turnAt === undefined ? {} : { turnAt }),
    reapedSeconds: site.delay('podCleanup'),
    ...(spec !== undefined && endsByItself(pod, spec) ? { exitCode: interruptedExitCode } : {}),
    ...(ends === 'pod' ? { silencedSeconds: site.delay('sandboxEnds') } : {}),
  });
}

/** Stops the containers in their order: each group when the one before will have ended. */
export function stopInOrder(
  work: PodWork,
  containers: readonly Container[],
  graceSeconds: number,
  ends: 'pod' | 'container',
): void {
  let turnAt = work.site.now();
  for (const group of stopOrder(work.pod, containers)) {
    for (const container of group) stop(work, container, graceSeconds, { ends, turnAt });
    const exits = group.map(({ id }) => work.machines.container(id)?.exitsAt ?? turnAt);
    turnAt = Math.max(turnAt, ...exits);
  }
}

/** Starts the containers whose turn it is; the kubelet sees at its next relist that the one before has ended. */
export function startNext(work: PodWork): void {
  const { machines, site, pod, key } = work;
  const there = machines.containersOf(key);
  const now = site.now();
  const specs = startsNow(pod, there, now);
  if (specs.length === 0 || (there.length === 0 && !areVolumesThere(pod, site.cache))) return;
  const from =
    there.length === 0 ? newSandbox(work) : { ...sandboxOf(there, now), at: now + 1000 * site.delay('kubeletRelist') };
  for (const spec of specs) {
    const { address, createdAt } = from;
    const unpulled = unpulledOf(work, spec, from.at);
    const readyToStartAt = unpulled === undefined ? imageAt(work, spec.image, from.at) : never;
    const container = containerOf(work, spec, { address, createdAt, readyToStartAt, restarts: 0 });
    machines.start(unpulled === undefined ? container : neverStarted(container, unpulled));
  }
}

/**
 * A pod's address, when its first container was created, and from when on containers can start in it, epoch
 * milliseconds.
 */
interface Sandbox {
  readonly address: string;
  readonly createdAt: number;
  readonly at: number;
}

function newSandbox({ machines, site, pod, instance }: PodWork): Sandbox {
  const createdAt = site.now();
  const address = pod.spec.hostNetwork ? instance.address : machines.podAddress(instance.id);
  const mountSeconds = claimKeysOf(pod).length === 0 ? 0 : site.delay('volumeMount');
  return { address, createdAt, at: createdAt + 1000 * (mountSeconds + site.delay('podSandbox')) };
}

const sandboxOf = ([first]: readonly Container[], now: number): Omit<Sandbox, 'at'> => ({
  address: first?.address ?? '',
  createdAt: first?.createdAt ?? now,
});

/** Why the container's image will not be on the machine's disk; undefined if it is there, or can be pulled. */
function unpulledOf(work: PodWork, spec: ContainerSpec, from: number): Unpulled | undefined {
  const { machines, instance, missingImages } = work;
  if (machines.instance(instance.id)?.images[spec.image] !== undefined) return undefined;
  const reason = pullFailure(spec, missingImages);
  return reason && { reason, failsAt: from + 1000 * work.site.delay('kubeletReaction') };
}

const neverStarted = ({ exitsAt: _, closesAt: __, exitCode: ___, ...container }: Container, unpulled: Unpulled) => ({
  ...container,
  unpulled,
  startsAt: never,
  listensAt: never,
  seenAt: never,
});

/** When the image is on the machine's disk, at `from` at the earliest; it is pulled if it is not there. */
function imageAt(work: PodWork, image: string, from: number): number {
  const { machines, instance } = work;
  const known = machines.instance(instance.id)?.images[image];
  const at = Math.max(from, known ?? from + 1000 * pullSecondsOf(work));
  if (known === undefined) machines.setImagePulled(instance.id, image, at);
  return at;
}

export function restart(work: PodWork, container: Container): void {
  const spec = specNamed(work.pod, container.name);
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

function containerOf(work: PodWork, spec: ContainerSpec, start: Start): Container {
  const { site, pod, key, instance, own } = work;
  const { readyToStartAt, ...known } = start;
  const program = programIn(pod, spec);
  const startsAt = readyToStartAt + 1000 * site.delay('containerStart');
  const cpu = cpuOf(work, spec, instanceType(instance.type)?.vcpus ?? 1);
  const run = runOf(work, spec);
  const ends = run === undefined || !Number.isFinite(run.seconds) ? undefined : startsAt + 1000 * run.seconds;
  return {
    ...known,
    id: `${pod.metadata.uid}/${spec.name}/${start.restarts}`,
    podKey: key,
    podUid: pod.metadata.uid ?? '',
    name: spec.name,
    image: spec.image,
    instanceId: instance.id,
    ports: own !== undefined ? ownPorts(spec, pod, site.cache.list('Service')) : namedPorts(spec, program),
    ...(own !== undefined ? { hasEveryPage: true as const } : {}),
    ...(cpu === undefined ? {} : { cpu }),
    startsAt,
    listensAt: startsAt + 1000 * listensSecondsOf(work, spec),
    seenAt: startsAt + 1000 * site.delay('kubeletRelist'),
    ...(ends === undefined ? {} : { closesAt: ends, exitsAt: ends, exitCode: run?.exitCode ?? 0 }),
  };
}

/**
 * How its program runs: as its command says, or as is assumed of one that ends by itself; undefined if it does not end.
 */
function runOf({ pod, site, runsProgram }: PodWork, spec: ContainerSpec): Run | undefined {
  if (runsProgram(spec)) return undefined;
  const assumed = () => ({
    seconds: site.delay(isInitializing(pod, spec.name) ? 'initRuns' : 'batchRuns'),
    exitCode: 0,
  });
  return commandRun(spec) ?? (endsByItself(pod, spec) ? assumed() : undefined);
}
