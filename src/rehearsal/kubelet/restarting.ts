import type { Pod } from '../../cluster/resources.ts';
import type { Container } from '../machines/containers.ts';

const firstBackOffSeconds = 10;
const longestBackOffSeconds = 300;
/** Who has run this long is started again at once. */
const forgivenAfterMs = 600_000;

/** The first restart comes at once, later ones after 10 s, 20 s … 300 s (CrashLoopBackOff); epoch milliseconds. */
export function restartAt(container: Container): number {
  const crashes = crashesBefore(container);
  const backOff = crashes === 0 ? 0 : firstBackOffSeconds * 2 ** (crashes - 1);
  return (container.exitsAt ?? 0) + 1000 * Math.min(backOff, longestBackOffSeconds);
}

/** How many crashes in a row the container's successor will have behind it. */
export const crashesAfter = (container: Container): number => crashesBefore(container) + 1;

const crashesBefore = ({ crashes = 0, startsAt, exitsAt = 0 }: Container): number =>
  exitsAt - startsAt >= forgivenAfterMs ? 0 : crashes;

/** Whether a container that has exited is started again: the pod's restartPolicy, and nothing in a pod that is deleted. */
export function isRestarted({ metadata, spec }: Pod, { exitCode = 0 }: Pick<Container, 'exitCode'>): boolean {
  if (metadata.deletionTimestamp !== undefined || spec.restartPolicy === 'Never') return false;
  return spec.restartPolicy !== 'OnFailure' || exitCode !== 0;
}
