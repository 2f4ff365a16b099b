import type { ContainerProbe } from '../../cluster/specs.ts';
import { type Container, hasExited, isRunning } from '../machines/containers.ts';
import { nthProbe } from './probes.ts';

/** What the kubelet holds a container's readiness to be, and when it will hold otherwise, epoch milliseconds. */
export interface Readiness {
  readonly ready: boolean;
  /** When it last became what it is. */
  readonly since: number;
  readonly changesAt?: number;
}

/**
 * Readiness as the prober finds it: a probe at every period from the moment the kubelet saw the container run, the
 * thresholds of the API. Without a probe a running container is ready. The sockets decide, not what somebody wishes.
 */
export function readinessOf(container: Container, probe: ContainerProbe | undefined, at: number): Readiness {
  if (!isRunning(container, at) || at < container.seenAt) return waiting(container, at);
  if (probe === undefined) return until(true, container.seenAt, container.exitsAt);
  const readyAt = nthProbe(container, probe, container.listensAt, probe.successThreshold ?? 1);
  if (at < readyAt) return until(false, container.createdAt, readyAt);
  const unreadyAt =
    container.closesAt === undefined
      ? undefined
      : Math.min(
          nthProbe(container, probe, container.closesAt, probe.failureThreshold ?? 3),
          container.exitsAt ?? Number.POSITIVE_INFINITY,
        );
  if (unreadyAt !== undefined && at >= unreadyAt) return until(false, unreadyAt, container.exitsAt);
  return until(true, readyAt, unreadyAt);
}

function waiting(container: Container, at: number): Readiness {
  return hasExited(container, at)
    ? { ready: false, since: container.exitsAt ?? at }
    : { ready: false, since: container.createdAt, changesAt: container.seenAt };
}

function until(ready: boolean, since: number, changesAt: number | undefined): Readiness {
  return changesAt === undefined ? { ready, since } : { ready, since, changesAt };
}
