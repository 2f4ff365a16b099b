import type { Resource } from '../../cluster/kinds.ts';
import type { Ingress, Service } from '../../cluster/resources.ts';
import { type Workload, workloadKinds } from '../../cluster/workload.ts';

/** A workload that a Service selects, and the Ingress that would lead visitors to it. */
export interface Unreached {
  readonly workload: Workload;
  readonly service: Service;
  readonly ingress: Ingress;
}

/** Every workload of these manifests that a Service selects, in their order; `namespace` is that of objects that name none. */
export function unreachedWorkloads(objects: readonly Resource[], namespace: string): readonly Unreached[] {
  const namespaceOf = ({ metadata }: Resource) => metadata.namespace ?? namespace;
  const services = objects.filter((one): one is Service => one.kind === 'Service' && one.spec.ports?.length > 0);
  const workloads = objects.filter((one): one is Workload => workloadKinds.some((kind) => kind === one.kind));
  return workloads.flatMap((workload) => {
    const behind = services.filter((one) => namespaceOf(one) === namespaceOf(workload) && leadsTo(one, workload));
    const service = behind.find(({ spec }) => spec.clusterIP !== 'None') ?? behind[0];
    return service === undefined ? [] : [{ workload, service, ingress: ingressTo(service, namespaceOf(workload)) }];
  });
}

function leadsTo({ spec: { selector = {} } }: Service, { spec: { template } }: Workload): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([key, value]) => template.metadata?.labels?.[key] === value);
}

/** To the port named `http` or 80 where there is one, else to the first. */
function ingressTo({ metadata: { name }, spec: { ports } }: Service, namespace: string): Ingress {
  const { port = 80 } = ports.find((one) => one.name === 'http' || one.port === 80) ?? ports[0] ?? {};
  const backend = { service: { name, port: { number: port } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: `${name}-assumed`, namespace },
    spec: { ingressClassName: 'nginx', rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
  };
}
