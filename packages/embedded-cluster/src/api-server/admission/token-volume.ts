import { isJson, type Json } from '../../objects/json.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

/** An hour, and a little more: so the API server knows its own tokens (kubernetes, pkg/serviceaccount/util.go, WarnOnlyBoundTokenExpirationPeriod). */
const expirationSeconds = 3607;

const sources: readonly Json[] = [
  { serviceAccountToken: { expirationSeconds, path: 'token' } },
  { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
  { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
];

/** The spec with the token of its account mounted in every container that mounts nothing there; the same spec if all do. */
export function withToken(spec: Json, name: string): Json {
  const lists = (['initContainers', 'containers'] as const).filter((key) => itemsOf(spec[key]).some(lacksToken));
  if (lists.length === 0) return spec;
  const mount = { name, readOnly: true, mountPath };
  const mounted = (container: Json) =>
    lacksToken(container) ? { ...container, volumeMounts: [...itemsOf(container.volumeMounts), mount] } : container;
  const containers = lists.map((key) => [key, itemsOf(spec[key]).map(mounted)]);
  const volume = { name, projected: { sources, defaultMode: 420 } };
  return { ...spec, ...Object.fromEntries(containers), volumes: [...itemsOf(spec.volumes), volume] };
}

const lacksToken = ({ volumeMounts }: Json): boolean =>
  !itemsOf(volumeMounts).some((mount) => mount.mountPath === mountPath);

const itemsOf = (list: unknown): readonly Json[] => (Array.isArray(list) ? list.filter(isJson) : []);
