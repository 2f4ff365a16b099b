/** What a kube-apiserver 1.34.4 looks at when it is asked for its health, in its order. */
const hooks: readonly string[] = [
  'start-apiserver-admission-initializer',
  'generic-apiserver-start-informers',
  'priority-and-fairness-config-consumer',
  'priority-and-fairness-filter',
  'storage-object-count-tracker-hook',
  'start-apiextensions-informers',
  'start-apiextensions-controllers',
  'crd-informer-synced',
  'start-system-namespaces-controller',
  'start-cluster-authentication-info-controller',
  'start-kube-apiserver-identity-lease-controller',
  'start-kube-apiserver-identity-lease-garbage-collector',
  'start-legacy-token-tracking-controller',
  'start-service-ip-repair-controllers',
  'rbac/bootstrap-roles',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'bootstrap-controller',
  'start-kubernetes-service-cidr-controller',
  'aggregator-reload-proxy-client-cert',
  'start-kube-aggregator-informers',
  'apiservice-status-local-available-controller',
  'apiservice-status-remote-available-controller',
  'apiservice-registration-controller',
  'apiservice-discovery-controller',
  'kube-apiserver-autoregistration',
].map((name) => `poststarthook/${name}`);
const afterHooks = [
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];

const checks: Readonly<Record<string, readonly string[]>> = {
  '/healthz': ['ping', 'log', 'etcd', ...hooks, ...afterHooks],
  '/livez': ['ping', 'log', 'etcd', ...hooks, ...afterHooks],
  '/readyz': ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', ...hooks, ...afterHooks, 'shutdown'],
};

/** Every path that answers with the health. */
export const healthPaths: readonly string[] = Object.entries(checks).flatMap(([path, names]) => [
  path,
  ...names.map((name) => `${path}/${name}`),
]);

/**
 * The health at that path, all of it or of one check; undefined if it is no such path. The embedded server is always
 * well.
 */
export function health(path: string, query: URLSearchParams): string | undefined {
  const names = checks[path];
  if (names === undefined) return healthPaths.includes(path) ? 'ok' : undefined;
  if (!query.has('verbose')) return 'ok';
  const excluded = query.getAll('exclude').flatMap((list) => list.split(','));
  const lines = names.map((name) => `[+]${name} ${excluded.includes(name) ? 'excluded: ' : ''}ok\n`);
  return `${lines.join('')}${path.slice(1)} check passed\n`;
}
