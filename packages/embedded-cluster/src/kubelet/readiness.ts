import type { ContainerProbe } from '../kubernetes/specs.ts';
import { type Container, hasExited, isRunning } from '../machines/containers.ts';
import { nthProbe } from './probes.ts';

/** A container's readiness as its kubelet reports it; instants in epoch milliseconds. */
export interface Readiness {
  readonly ready: boolean;
  /** When it last changed. */
  readonly since: number;
  /** When it changes next, if that is known. */
  readonly changesAt?: number;
}

/**
 * Readiness follows from the container's sockets: one probe each period since the kubelet found the container running,
 * with the probe's thresholds. Without a probe a running container is ready.
 */
export function readinessOf(container: Container, probe: ContainerProbe | undefined, at: number): Readiness {
  if (!isRunning(container, at) || at < container.seenAt) return notRunning(container, at);
  if (probe === undefined) return readiness(true, container.seenAt, container.exitsAt);
  const readyAt = nthProbe(container, probe, container.listensAt, probe.successThreshold ?? 1);
  if (at < readyAt) return readiness(false, container.createdAt, readyAt);
  const unreadyAt = unreadyAtOf(container, probe);
  if (unreadyAt !== undefined && at >= unreadyAt) return readiness(false, unreadyAt, container.exitsAt);
  return readiness(true, readyAt, unreadyAt);
}

/** When its probe has failed often enough because it closed its sockets, or said that it would. */
function unreadyAtOf(container: Container, probe: ContainerProbe): number | undefined {
  const failsAt = container.unhealthyAt ?? container.closesAt;
  if (failsAt === undefined) return undefined;
  const failedAt = nthProbe(container, probe, failsAt, probe.failureThreshold ?? 3);
  return Math.min(failedAt, container.exitsAt ?? Number.POSITIVE_INFINITY);
}

function notRunning(container: Container, at: number): Readiness {
  return hasExited(container, at)
    ? { ready: false, since: container.exitsAt ?? at }
    : { ready: false, since: container.createdAt, changesAt: container.seenAt };
}

function readiness(ready: boolean, since: number, changesAt: number | undefined): Readiness {
  return changesAt === undefined ? { ready, since } : { ready, since, changesAt };
}
