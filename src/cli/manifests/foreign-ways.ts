import type { Ingress, Service } from '../../cluster/resources.ts';
import { isForeignWay } from './front-door.ts';
import { type Located, type ManifestObject, namespaceOf } from './located.ts';

/** Where a way in leads: the parts of an Ingress rule. */
interface Way {
  readonly host?: string | undefined;
  readonly path: string;
  readonly isExact: boolean;
  readonly service: string;
  /** Where it is not written: the only one of the Service. */
  readonly port?: string | number | undefined;
  /** Of the Service, where it is another one than the way's. */
  readonly namespace?: string | undefined;
  readonly isTls: boolean;
}

/**
 * The Ingresses that replace ways in of other kinds: Traefik's IngressRoute, Istio's VirtualService through a gateway,
 * VirtualServer of NGINX Inc. Each is at the lines of its original; one that leads to no Service gives none.
 */
export const ingressesOfForeignWays = (located: readonly Located[]): readonly Located[] =>
  located.filter(({ object }) => isForeignWay(object)).flatMap((one) => standIn(one, located));

function standIn(one: Located, located: readonly Located[]): readonly Located[] {
  const { object, file } = one;
  const ways = (readers[object.kind]?.(fieldsOf(object)) ?? []).flatMap((way) => withPort(way, object, located));
  const [first] = ways;
  if (first === undefined) return [];
  const namespace = first.namespace ?? object.metadata.namespace;
  const ingress: Ingress = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: object.metadata.name,
      ...(namespace !== undefined && { namespace }),
      annotations: object.metadata.annotations ?? {},
    },
    spec: {
      ingressClassName: 'nginx',
      ...(first.isTls && { tls: [{}] }),
      rules: ways.map(({ host, path, isExact, service, port = 80 }) => ({
        ...(host !== undefined && { host }),
        http: {
          paths: [
            {
              path,
              pathType: isExact ? ('Exact' as const) : ('Prefix' as const),
              backend: {
                service: { name: service, port: typeof port === 'number' ? { number: port } : { name: port } },
              },
            },
          ],
        },
      })),
    },
  };
  const at = one.lineOf(['spec']);
  return [{ file, object: ingress as unknown as ManifestObject, lineOf: () => at, standsFor: 'spec' }];
}

/** Fields of an object whose kind has no schema here: what is not as expected is absent. */
type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const portOf = (value: unknown): string | number | undefined => (typeof value === 'number' ? value : textOf(value));

const readers: Readonly<Record<string, (object: Fields) => readonly Way[]>> = {
  IngressRoute: waysOfIngressRoute,
  VirtualService: waysOfVirtualService,
  VirtualServer: waysOfVirtualServer,
};

/** doc.traefik.io, "IngressRoute": the first host and path of each route's rule, and its first Service. */
function waysOfIngressRoute({ spec }: Fields): readonly Way[] {
  const { routes, tls } = fieldsOf(spec);
  return listOf(routes).flatMap(({ match, services }) => {
    const service = listOf(services).find(({ kind = 'Service' }) => kind === 'Service');
    const name = textOf(service?.name);
    if (name === undefined) return [];
    const rule = textOf(match) ?? '';
    const [, host] = /Host(?:SNI)?\(\s*[`"']([^`"']+)/.exec(rule) ?? [];
    const [, exact] = /Path\(\s*[`"']([^`"']+)/.exec(rule) ?? [];
    const [, prefix] = /PathPrefix\(\s*[`"']([^`"']+)/.exec(rule) ?? [];
    const where = { host, path: exact ?? prefix ?? '/', isExact: exact !== undefined, isTls: tls !== undefined };
    return [{ ...where, service: name, port: portOf(service?.port), namespace: textOf(service?.namespace) }];
  });
}

/** istio.io, "Virtual Service": through a gateway alone; the first destination of each route, whatever the weights. */
function waysOfVirtualService({ spec }: Fields): readonly Way[] {
  const { hosts, gateways, http } = fieldsOf(spec);
  const through = (Array.isArray(gateways) ? gateways : []).filter((name) => name !== 'mesh');
  if (through.length === 0) return [];
  const names: readonly unknown[] = Array.isArray(hosts) ? hosts : [];
  const host = textOf(names[0]) === '*' ? undefined : textOf(names[0]);
  return listOf(http).flatMap(({ match, route }) => {
    const { destination } = listOf(route)[0] ?? {};
    const { host: target, port } = fieldsOf(destination);
    const [service, namespace] = (textOf(target) ?? '').split('.');
    if (service === undefined || service === '') return [];
    const { exact, prefix } = fieldsOf(listOf(match)[0]?.uri);
    const where = { host, path: textOf(exact) ?? textOf(prefix) ?? '/', isExact: exact !== undefined, isTls: false };
    return [{ ...where, service, namespace, port: portOf(fieldsOf(port).number) }];
  });
}

/** docs.nginx.com, "VirtualServer": the upstream to which each route passes. */
function waysOfVirtualServer({ spec }: Fields): readonly Way[] {
  const { host, tls, upstreams, routes } = fieldsOf(spec);
  return listOf(routes).flatMap(({ path, action }) => {
    const pass = textOf(fieldsOf(action).pass);
    const upstream = listOf(upstreams).find(({ name }) => name === pass);
    const service = textOf(upstream?.service);
    if (service === undefined) return [];
    const [, kind, rest = '/'] = /^(=|~\*?)?\s*(.*)$/.exec(textOf(path) ?? '/') ?? [];
    const where = { path: kind?.startsWith('~') ? '/' : rest, isExact: kind === '=', isTls: tls !== undefined };
    return [{ ...where, host: textOf(host), service, port: portOf(upstream?.port) }];
  });
}

/** A way whose Service is not among the manifests keeps what it says; without a port it cannot be served. */
function withPort(way: Way, object: ManifestObject, located: readonly Located[]): readonly Way[] {
  if (way.port !== undefined) return [way];
  const namespace = way.namespace ?? namespaceOf(object);
  const found = located.find(
    ({ object: one }) => one.kind === 'Service' && one.metadata.name === way.service && namespaceOf(one) === namespace,
  );
  const [first] = (found?.object as unknown as Service | undefined)?.spec.ports ?? [];
  return first === undefined ? [] : [{ ...way, port: first.port }];
}
