import type { Gateway, HttpRoute } from '../../cluster/gateway-api.ts';
import type { Ingress } from '../../cluster/resources.ts';

/**
 * The Ingress that sends visitors where the HTTPRoute sends them: its hosts, else those of the listeners of its
 * Gateways; with TLS where those listeners all speak HTTPS. Each rule's first Service counts, whatever the weights.
 */
export function ingressOf(route: HttpRoute, gateways: readonly Gateway[]): Ingress {
  const { hostnames, rules = [] } = route.spec ?? {};
  const listeners = listenersOf(route, gateways);
  const heard = listeners.flatMap(({ hostname }) => hostname ?? []);
  const hosts = hostnames ?? (heard.length > 0 ? heard : undefined);
  const paths = rules.flatMap(({ matches = [{}], backendRefs = [] }) => {
    const backend = backendRefs.find(({ kind = 'Service' }) => kind === 'Service');
    if (backend === undefined) return [];
    const { name, port } = backend;
    return matches.map(({ path }) => ({
      path: path?.type === 'RegularExpression' ? '/' : (path?.value ?? '/'),
      pathType: path?.type === 'Exact' ? ('Exact' as const) : ('Prefix' as const),
      backend: { service: { name, port: port === undefined ? {} : { number: port } } },
    }));
  });
  const isTls = listeners.length > 0 && listeners.every(({ protocol }) => protocol === 'HTTPS');
  const { name, namespace, annotations = {} } = route.metadata;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, ...(namespace !== undefined && { namespace }), annotations },
    spec: {
      ingressClassName: 'nginx',
      ...(isTls && { tls: [{}] }),
      rules: (hosts ?? [undefined]).map((host) => ({ ...(host !== undefined && { host }), http: { paths } })),
    },
  };
}

/** The listeners of the Gateways that the route names, those of its section where it names one. */
function listenersOf({ spec }: HttpRoute, gateways: readonly Gateway[]) {
  return (spec?.parentRefs ?? []).flatMap(({ name, sectionName }) => {
    const gateway = gateways.find(({ metadata }) => metadata.name === name);
    const all = gateway?.spec?.listeners ?? [];
    return sectionName === undefined ? all : all.filter((one) => one.name === sectionName);
  });
}
