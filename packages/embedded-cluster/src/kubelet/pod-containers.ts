import type { Pod } from '../kubernetes/resources.ts';
import type { Container as ContainerSpec, PodSpec } from '../kubernetes/specs.ts';
import { type Container, hasExited } from '../machines/containers.ts';
import { type Program, programOf } from '../machines/images.ts';
import { isSidecar, sidecarsOf } from '../objects/pods.ts';
import { startedAt } from './probes.ts';

/** The spec of the pod's container of that name: an init container's, a sidecar's or an ordinary one's. */
export const specNamed = ({ spec }: Pod, wanted: string): ContainerSpec | undefined =>
  [...spec.containers, ...(spec.initContainers ?? [])].find(({ name }) => name === wanted);

/**
 * The containers that run as long as the pod does, in the order of their start: its sidecars, then its ordinary ones.
 */
export const longRunning = (spec: PodSpec): readonly ContainerSpec[] => [...sidecarsOf(spec), ...spec.containers];

/** Whether the container has to end with success before the next one starts: an init container that is no sidecar. */
export const isInitializing = ({ spec }: Pod, wanted: string): boolean =>
  spec.initContainers?.some((one) => one.name === wanted && !isSidecar(one)) === true;

export const isSidecarOf = ({ spec }: Pod, wanted: string): boolean =>
  sidecarsOf(spec).some(({ name }) => name === wanted);

/**
 * The program in a container of the pod; what is assumed of one's own application does not hold for a sidecar of
 * unknown content.
 */
export function programIn(pod: Pod, { name, image }: Pick<ContainerSpec, 'name' | 'image'>): Program {
  const program = programOf(image);
  if (program.name !== 'other' || !isSidecarOf(pod, name)) return program;
  return { ...program, listens: 'systemListens', quits: 'processQuits' };
}

/**
 * Whether the pod's initialization has passed this container: an ordinary init container has succeeded, a sidecar has
 * started, which is after its startup probe (KEP-753, "Sidecar containers").
 */
export function isPassed(spec: ContainerSpec, container: Container | undefined, at: number): boolean {
  if (container === undefined) return false;
  if (isSidecar(spec)) return at >= container.seenAt && at >= startedAt(container, spec) && !hasExited(container, at);
  return hasExited(container, at) && container.exitCode === 0;
}
