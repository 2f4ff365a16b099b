import type { Pod } from '../kubernetes/resources.ts';
import type { Container as ContainerSpec } from '../kubernetes/specs.ts';
import type { Container, OnSigterm } from '../machines/containers.ts';
import { isComponent, type Program, programOf } from '../machines/images.ts';
import type { OwnBehaviour, OwnBehaviours } from '../machines/own-behaviours.ts';
import type { Cache } from '../objects/cache.ts';
import { controllerOf } from '../objects/owners.ts';
import { quantity } from '../objects/quantities.ts';
import { isSidecarOf, programIn } from './pod-containers.ts';

interface OfPod {
  readonly site: { readonly cache: Cache; readonly delay: (name: Program['listens']) => number };
  readonly pod: Pod;
  /** Undefined: the containers are those of a web server, nginx. */
  readonly own: OwnBehaviours | undefined;
}
interface Named {
  readonly name: string;
  readonly image: string;
}

/** How long a pull of the pod's images takes, seconds. */
export const pullSecondsOf = (work: OfPod): number => ofWorkload(work)?.pull ?? work.site.delay('imagePull');

/** From a container's start to its listening socket, seconds. */
export const listensSecondsOf = (work: OfPod, container: Named): number =>
  (isAssumed(work, container) ? ofWorkload(work)?.start : undefined) ??
  work.site.delay(programIn(work.pod, container).listens);

/** From SIGTERM to the container's exit, seconds. */
export const quitsSecondsOf = (work: OfPod, container: Named): number =>
  isAssumed(work, container)
    ? (ofWorkload(work)?.stop ?? work.site.delay('applicationQuits'))
    : work.site.delay(programIn(work.pod, container).quits);

/**
 * The cost of a request in a container, and the CPU that it may use: its limit, else the cores of its machine.
 * Undefined if the settings do not describe it.
 */
export function cpuOf(work: OfPod, container: ContainerSpec, vcpus: number): Container['cpu'] | undefined {
  if (work.own === undefined || !isAssumed(work, container)) return undefined;
  const { request } = ofWorkload(work) ?? work.own.every;
  const limit = container.resources?.limits?.cpu;
  return { secondsPerRequest: request, cores: Math.min(vcpus, limit === undefined ? vcpus : quantity(limit)) };
}

/** The behaviour of a container's program on SIGTERM; undefined: that of its known image. */
export function onSigtermOf(work: OfPod, container: Named): OnSigterm | undefined {
  if (work.own === undefined || !isAssumed(work, container)) return undefined;
  const { sigterm, answers } = ofWorkload(work) ?? work.own.every;
  if (!sigterm) return 'ignores';
  return answers ? 'answers' : 'closes';
}

/**
 * Whether the settings describe its behaviour: never for a sidecar, but also for an nginx, because the content of its
 * image is unknown.
 */
const isAssumed = ({ own, pod }: OfPod, { name, image }: Named): boolean =>
  own !== undefined && !isComponent(programOf(image)) && !isSidecarOf(pod, name);

/** The settings for the pod's own workload; undefined if they only describe all workloads. */
function ofWorkload({ own, pod, site }: OfPod): OwnBehaviour | undefined {
  const { namespace } = pod.metadata;
  const owner = controllerOf(pod);
  if (own === undefined || owner === undefined) return undefined;
  const replicaSet = owner.kind === 'ReplicaSet' && site.cache.get('ReplicaSet', `${namespace}/${owner.name}`);
  const { kind, name } = (replicaSet && controllerOf(replicaSet)) || owner;
  return own.byWorkload[`${kind}/${namespace}/${name}`] ?? own.byWorkload[`${kind}/${name}`];
}
