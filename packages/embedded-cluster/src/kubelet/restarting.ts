import type { Pod } from '../kubernetes/resources.ts';
import type { Container as ContainerSpec } from '../kubernetes/specs.ts';
import { type Container, hasExited } from '../machines/containers.ts';
import { programOf } from '../machines/images.ts';
import { isInitializing, isSidecarOf } from './pod-containers.ts';

const firstBackOffSeconds = 10;
const longestBackOffSeconds = 300;
/** A container that has run for 10 minutes begins its back-off anew (Kubernetes, Pod lifecycle, restart policy). */
const backOffResetMs = 600_000;

/**
 * When an exited container is restarted, epoch milliseconds: at once, then after 10 s, 20 s … 300 s (CrashLoopBackOff).
 * One that the kubelet has killed is started again in the same turn, for which the one before counts: the second
 * restart comes at once too, and the third waits (kuberuntime_manager.go, doBackOff, which looks for a container that
 * is known to have exited).
 */
export function restartAt(container: Container): number {
  const isKilled = container.stopGraceSeconds !== undefined;
  const crashes = crashesBefore(container) - (isKilled ? 1 : 0);
  const backOff = crashes <= 0 ? 0 : firstBackOffSeconds * 2 ** (crashes - 1);
  return (container.exitsAt ?? 0) + 1000 * Math.min(backOff, longestBackOffSeconds);
}

/** The consecutive crashes that the container's successor counts. */
export const crashesAfter = (container: Container): number => crashesBefore(container) + 1;

const crashesBefore = ({ crashes = 0, startsAt, exitsAt = 0 }: Container): number =>
  exitsAt - startsAt >= backOffResetMs ? 0 : crashes;

/**
 * Whether an exited container is restarted: by the pod's restartPolicy, and never in a terminating pod; a sidecar is
 * always, another init container only after a failure.
 */
export function isRestarted(pod: Pod, { name, exitCode = 0 }: Pick<Container, 'name' | 'exitCode'>): boolean {
  const { metadata, spec } = pod;
  if (metadata.deletionTimestamp !== undefined) return false;
  if (isSidecarOf(pod, name)) return true;
  if (spec.restartPolicy === 'Never') return false;
  return (spec.restartPolicy !== 'OnFailure' && !isInitializing(pod, name)) || exitCode !== 0;
}

/**
 * Whether the pod's ordinary containers have all ended for good: then its sidecars are stopped too
 * (kuberuntime_manager.go, computePodActions).
 */
export function haveEnded(pod: Pod, containers: readonly Container[], at: number): boolean {
  return pod.spec.containers.every((spec) => {
    const container = containers.find(({ name }) => name === spec.name);
    return container !== undefined && hasExited(container, at) && !isRestarted(pod, container);
  });
}

/**
 * Whether the program of a container ends by itself: that of an init container which is no sidecar, and of a pod which
 * is not always restarted, unless its image is known as a server's and no command stands in for that.
 */
export function endsByItself(
  pod: Pod,
  { name, image, command }: Pick<ContainerSpec, 'name' | 'image' | 'command'>,
): boolean {
  const { restartPolicy } = pod.spec;
  const endsWithPod = restartPolicy === 'Never' || restartPolicy === 'OnFailure';
  if (isSidecarOf(pod, name) || !(endsWithPod || isInitializing(pod, name))) return false;
  return command !== undefined || programOf(image).name === 'other';
}
