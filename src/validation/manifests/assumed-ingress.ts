import type { Resource } from '../../cluster/kinds.ts';
import type { Ingress, Service } from '../../cluster/resources.ts';
import type { Workload } from '../../cluster/workload.ts';
import { isSelected, isWorkload } from './own-applications.ts';

/** A workload that a Service selects, and the Ingress that would lead visitors to it. */
export interface Unreached {
  readonly workload: Workload;
  readonly service: Service;
  readonly ingress: Ingress;
}

/**
 * Every workload of these manifests that a Service selects, in their order; `namespace` is that of objects that name
 * none.
 */
export function unreachedWorkloads(objects: readonly Resource[], namespace: string): readonly Unreached[] {
  const namespaceOf = ({ metadata }: Resource) => metadata.namespace ?? namespace;
  const services = objects.filter((one): one is Service => one.kind === 'Service' && one.spec.ports?.length > 0);
  return objects.filter(isWorkload).flatMap((workload) => {
    const here = services.filter((one) => namespaceOf(one) === namespaceOf(workload));
    const behind = here.filter(({ spec }) => isSelected(workload, spec.selector ?? {}));
    const service = behind.find(({ spec }) => spec.clusterIP !== 'None') ?? behind[0];
    return service === undefined ? [] : [{ workload, service, ingress: ingressTo(service, namespaceOf(workload)) }];
  });
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

/** The Ingress of each Service has a host of its own, so that several can be told apart. */
export function atOwnHost(one: Unreached): Unreached {
  const { name } = one.service.metadata;
  const rules = one.ingress.spec.rules?.map((rule) => ({ ...rule, host: `${name}.example.com` }));
  return { ...one, ingress: { ...one.ingress, spec: { ...one.ingress.spec, ...(rules && { rules }) } } };
}
