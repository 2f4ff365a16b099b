import { longRunning } from '@holdfast/embedded-cluster';
import type { Resource } from '../../cluster/kinds.ts';
import type { Ingress, Service } from '../../cluster/resources.ts';
import type { OwnApplication } from '../../validation/manifests/own-applications.ts';
import { fallbackNamespace } from './located.ts';

/** What is wrong with a field of an object. */
export interface Dead {
  readonly object: Resource;
  readonly field: string;
  readonly sentence: string;
}

/**
 * Where the way of visitors to the application ends before its pods: at a port that its Service does not have, or to
 * which none of its containers listens. `objects` are as the API server has them.
 */
export function deadPorts(objects: readonly Resource[], application: OwnApplication): readonly Dead[] {
  const named = <R extends Resource>(kind: string, name: string | null) =>
    objects.find(
      ({ kind: its, metadata: { name: own, namespace = fallbackNamespace } }) =>
        its === kind && own === name && namespace === application.namespace,
    ) as R | undefined;
  const service = named<Service>('Service', application.service);
  if (service === undefined) return [];
  const ingress = named<Ingress>('Ingress', application.ingress);
  const asked = ingress === undefined ? [] : backendsOf(ingress).filter(({ name }) => name === application.service);
  const missing = asked.filter(({ port }) => portOf(service, port) === undefined);
  const ports = ingress === undefined ? service.spec.ports : asked.flatMap(({ port }) => portOf(service, port) ?? []);
  return [
    ...missing.map(({ field, port }) => ({
      object: ingress as Resource,
      field,
      sentence: `Service ${service.metadata.name} has no port ${port}: write one that it has: ${listed(service)}`,
    })),
    ...[...new Set(ports)].flatMap((port) => unheard(service, port, application)),
  ];
}

type ServicePort = Service['spec']['ports'][number];

interface Backend {
  readonly name: string;
  readonly port: string | number;
  readonly field: string;
}

function backendsOf({ spec }: Ingress): readonly Backend[] {
  const all = (spec.rules ?? []).flatMap(({ http }, rule) =>
    (http?.paths ?? []).map(({ backend }, path) => ({
      service: backend.service,
      field: `spec.rules[${rule}].http.paths[${path}].backend.service.port`,
    })),
  );
  const fallback = { service: spec.defaultBackend?.service, field: 'spec.defaultBackend.service.port' };
  return [...all, fallback].flatMap(({ service, field }) => {
    const port = service?.port.number ?? service?.port.name;
    return service === undefined || port === undefined ? [] : [{ name: service.name, port, field }];
  });
}

const portOf = ({ spec }: Service, asked: string | number): ServicePort | undefined =>
  spec.ports.find(({ name, port }) => asked === port || asked === name);

const listed = ({ spec }: Service): string =>
  spec.ports.map(({ name, port }) => (name === undefined ? port : `${port} (${name})`)).join(', ');

/**
 * A number that no container names is heard by one of them on a real cluster, where ports need not be named; nothing
 * says that here.
 */
function unheard(service: Service, asked: ServicePort, { workload }: OwnApplication): readonly Dead[] {
  const { port, targetPort = port } = asked;
  const containers = longRunning(workload.spec.template.spec);
  const ports = containers.flatMap((container) => container.ports ?? []);
  const probed = containers
    .flatMap(({ readinessProbe, livenessProbe, startupProbe }) => [readinessProbe, livenessProbe, startupProbe])
    .map((probe) => (probe?.httpGet ?? probe?.tcpSocket)?.port);
  const isHeard =
    typeof targetPort === 'string'
      ? ports.some(({ name }) => name === targetPort)
      : ports.some(({ containerPort }) => containerPort === targetPort) ||
        probed.includes(targetPort) ||
        (ports.length === 0 && probed.every((one) => typeof one !== 'number'));
  if (isHeard) return [];
  const { kind, metadata } = workload;
  const known = ports.map(({ name, containerPort }) =>
    name === undefined ? containerPort : `${containerPort} (${name})`,
  );
  const index = service.spec.ports.indexOf(asked);
  return [
    {
      object: service,
      field: `spec.ports[${index}].targetPort`,
      sentence: `no container of ${kind} ${metadata.name} names the port ${targetPort}${known.length === 0 ? '' : `, but ${known.join(', ')}`}: write one of theirs, or name it in the container’s ports`,
    },
  ];
}
