import type { Pod, Service } from '../kubernetes/resources.ts';
import type { Container } from '../kubernetes/specs.ts';
import { isComponent, type Program, programOf } from '../machines/images.ts';
import { labelsMatch } from '../objects/selectors.ts';
import { isInitializing, isSidecarOf, longRunning } from './pod-containers.ts';

/** The ports that the program in the image listens on: its own, or those that the container names. */
export function namedPorts({ ports = [] }: Container, program: Program): readonly number[] {
  return ports.length > 0 && !program.hasOwnPorts ? ports.map(({ containerPort }) => containerPort) : program.ports;
}

/**
 * The ports that a container of unknown content listens on: those that it names and that its probes ask. In a pod that
 * names none they listen where its Services send, its sidecars excepted, because `containerPort` is only information
 * (core/v1, ContainerPort).
 */
export function ownPorts(spec: Container, pod: Pod, services: Iterable<Service>): readonly number[] {
  if (isInitializing(pod, spec.name)) return [];
  const program = programOf(spec.image);
  if (isComponent(program)) return namedPorts(spec, program);
  const probes = [spec.readinessProbe, spec.livenessProbe, spec.startupProbe];
  const asked = probes.map((probe) => (probe?.httpGet ?? probe?.tcpSocket ?? probe?.grpc)?.port);
  const written = [...(spec.ports ?? []).map(({ containerPort }) => containerPort), ...asked].filter(isNumber);
  const isNamed = longRunning(pod.spec).some(({ ports = [] }) => ports.length > 0);
  if (isNamed || isSidecarOf(pod, spec.name) || written.length > 0) return [...new Set(written)];
  const sent = [...services]
    .filter(({ metadata, spec: { selector = {} } }) => isOf(pod, metadata.namespace, selector))
    .flatMap(({ spec: { ports } }) => ports.map(({ port, targetPort = port }) => targetPort))
    .filter(isNumber);
  return sent.length > 0 ? [...new Set(sent)] : program.ports;
}

const isNumber = (port: number | string | undefined): port is number => typeof port === 'number';

function isOf({ metadata }: Pod, namespace: string | undefined, selector: Readonly<Record<string, string>>): boolean {
  return metadata.namespace === namespace && Object.keys(selector).length > 0 && labelsMatch(metadata.labels, selector);
}
