import type { ContainerProbe, Container as ContainerSpec } from '../kubernetes/specs.ts';
import type { Container } from '../machines/containers.ts';
import { pagesOf } from '../machines/images.ts';

/**
 * Whether the probe succeeds while the container listens: its port is open and, for a known web server, its page
 * exists.
 */
export function probeSucceeds(container: Container, spec: ContainerSpec, probe: ContainerProbe | undefined): boolean {
  const target = probe?.httpGet ?? probe?.tcpSocket ?? probe?.grpc;
  if (target === undefined) return true;
  const port = typeof target.port === 'number' ? target.port : portNamed(spec, target.port);
  if (port === undefined || !container.ports.includes(port)) return false;
  const pages = pagesOf(container);
  return probe?.httpGet === undefined || pages === undefined || pages.includes(probe.httpGet.path ?? '/');
}

function portNamed({ ports = [] }: ContainerSpec, name: string): number | undefined {
  return ports.find((port) => port.name === name)?.containerPort;
}

/** When the startup probe succeeds, epoch milliseconds; no other probe runs before. Infinite if it never does. */
export function startedAt(container: Container, spec: ContainerSpec): number {
  const { startupProbe } = spec;
  if (startupProbe === undefined) return container.seenAt;
  if (!probeSucceeds(container, spec, startupProbe)) return Number.POSITIVE_INFINITY;
  return nthProbe(container, startupProbe, container.listensAt, 1);
}

/**
 * When the startup or the liveness probe has failed failureThreshold times, epoch milliseconds; infinite if never. A
 * probe of any kind fails as long as the program does not listen.
 */
export function probeFailsAt(container: Container, spec: ContainerSpec): number {
  const { startupProbe, livenessProbe } = spec;
  const fails = (probe: ContainerProbe | undefined, from: number) => {
    if (probe === undefined || !Number.isFinite(from)) return Number.POSITIVE_INFINITY;
    const at = nthProbe({ ...container, seenAt: from }, probe, from, probe.failureThreshold ?? 3);
    return at < container.listensAt || !probeSucceeds(container, spec, probe) ? at : Number.POSITIVE_INFINITY;
  };
  return Math.min(fails(startupProbe, container.seenAt), fails(livenessProbe, startedAt(container, spec)));
}

/**
 * The instant of the n-th probe at or after `from`: the first is at `seenAt` or after initialDelaySeconds, then one
 * each period.
 */
export function nthProbe(
  { seenAt, startsAt }: Pick<Container, 'seenAt' | 'startsAt'>,
  probe: ContainerProbe,
  from: number,
  n: number,
): number {
  const periodMs = 1000 * (probe.periodSeconds ?? 10);
  const first = Math.max(seenAt, startsAt + 1000 * (probe.initialDelaySeconds ?? 0));
  const passed = Math.max(0, Math.ceil((from - first) / periodMs));
  return first + (passed + n - 1) * periodMs;
}
