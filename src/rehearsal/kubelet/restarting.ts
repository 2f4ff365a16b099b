import type { Pod } from '../../cluster/resources.ts';
import type { Container as ContainerSpec } from '../../cluster/specs.ts';
import type { Container } from '../machines/containers.ts';
import { programOf } from '../machines/images.ts';

const firstBackOffSeconds = 10;
const longestBackOffSeconds = 300;
/** A container that has run for 10 minutes begins its back-off anew (Kubernetes, Pod lifecycle, restart policy). */
const backOffResetMs = 600_000;

/** When an exited container is restarted, epoch milliseconds: at once, then after 10 s, 20 s … 300 s (CrashLoopBackOff). */
export function restartAt(container: Container): number {
  const crashes = crashesBefore(container);
  const backOff = crashes === 0 ? 0 : firstBackOffSeconds * 2 ** (crashes - 1);
  return (container.exitsAt ?? 0) + 1000 * Math.min(backOff, longestBackOffSeconds);
}

/** The consecutive crashes that the container's successor counts. */
export const crashesAfter = (container: Container): number => crashesBefore(container) + 1;

const crashesBefore = ({ crashes = 0, startsAt, exitsAt = 0 }: Container): number =>
  exitsAt - startsAt >= backOffResetMs ? 0 : crashes;

/** Whether an exited container is restarted: by the pod's restartPolicy, and never in a terminating pod. */
export function isRestarted({ metadata, spec }: Pod, { exitCode = 0 }: Pick<Container, 'exitCode'>): boolean {
  if (metadata.deletionTimestamp !== undefined || spec.restartPolicy === 'Never') return false;
  return spec.restartPolicy !== 'OnFailure' || exitCode !== 0;
}

/**
 * Whether the program of a container ends by itself: that of a pod which is not always restarted, unless its image is known as a server's and no
 * command stands in for that.
 */
export function endsByItself({ spec }: Pod, { image, command }: Pick<ContainerSpec, 'image' | 'command'>): boolean {
  if (spec.restartPolicy !== 'Never' && spec.restartPolicy !== 'OnFailure') return false;
  return command !== undefined || programOf(image).name === 'other';
}
