import type { ContainerProbe, Container as ContainerSpec } from '../../cluster/specs.ts';
import type { Container } from '../machines/containers.ts';
import { programOf } from '../machines/images.ts';

/** Whether the container answers a probe well once it listens: its port and, of a web server that is known, its page. */
export function isAnswered(container: Container, spec: ContainerSpec, probe: ContainerProbe | undefined): boolean {
  const target = probe?.httpGet ?? probe?.tcpSocket;
  if (target === undefined) return true;
  const port = typeof target.port === 'number' ? target.port : portNamed(spec, target.port);
  if (port === undefined || !container.ports.includes(port)) return false;
  const { pages } = programOf(container.image);
  return probe?.httpGet === undefined || pages === undefined || pages.includes(probe.httpGet.path ?? '/');
}

function portNamed({ ports = [] }: ContainerSpec, name: string): number | undefined {
  return ports.find((port) => port.name === name)?.containerPort;
}

/** When the startup probe has succeeded, epoch milliseconds: until then no other probe begins. */
export function startedAt(container: Container, spec: ContainerSpec): number {
  const { startupProbe } = spec;
  if (startupProbe === undefined) return container.seenAt;
  if (!isAnswered(container, spec, startupProbe)) return Number.POSITIVE_INFINITY;
  return nthProbe(container, startupProbe, container.listensAt, 1);
}

/** When the kubelet gives the container up, because its startup or its liveness probe has failed too often; epoch milliseconds. */
export function givenUpAt(container: Container, spec: ContainerSpec): number {
  const { startupProbe, livenessProbe } = spec;
  const fails = (probe: ContainerProbe | undefined, from: number) =>
    probe === undefined || isAnswered(container, spec, probe)
      ? Number.POSITIVE_INFINITY
      : nthProbe({ ...container, seenAt: from }, probe, from, probe.failureThreshold ?? 3);
  if (startupProbe !== undefined && !isAnswered(container, spec, startupProbe))
    return fails(startupProbe, container.seenAt);
  return fails(livenessProbe, startedAt(container, spec));
}

/** The instant of the n-th probe at or after `from`: probes come at `seenAt` (or the initial delay) and each period later. */
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
