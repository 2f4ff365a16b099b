import { isJson, type Json } from '../../objects/json.ts';
import type { Api, ApiRequest } from '../api.ts';
import { refusals } from '../refusals.ts';

/** The account that the ServiceAccount controller makes in every namespace. */
const everywhere = 'default';

/**
 * The admission plugin ServiceAccount (kubernetes, plugin/pkg/admission/serviceaccount): a pod has an account, which
 * has to exist. The controller that makes `default` is not here, so that this one counts as there. A client's pod gets
 * the account's token as a volume, and its image pull secrets; a pod that a controller of the cluster makes in process
 * does not, because nothing there would read them.
 */
export function withServiceAccount(spec: Json, api: Api, at: ApiRequest): Json {
  const { serviceAccountName = '' } = spec;
  const name = serviceAccountName === '' ? everywhere : String(serviceAccountName);
  const account = api.objects.get('ServiceAccount.', at.namespace, name);
  if (name !== everywhere && account === undefined)
    throw refusals.forbidden(
      at,
      `error looking up service account ${at.namespace}/${name}: serviceaccount "${name}" not found`,
    );
  const named = serviceAccountName === '' ? { ...spec, serviceAccountName: name, serviceAccount: name } : spec;
  return at.typed === undefined ? named : withAccountOf(named, account as unknown as Json | undefined, api);
}

function withAccountOf(spec: Json, account: Json | undefined, api: Api): Json {
  const mounts = spec.automountServiceAccountToken ?? account?.automountServiceAccountToken ?? true;
  const whole = mounts === false ? spec : withToken(spec, `kube-api-access-${api.identities.suffix()}`);
  const secrets = Array.isArray(account?.imagePullSecrets) ? account.imagePullSecrets.filter(isJson) : [];
  return secrets.length === 0 || spec.imagePullSecrets !== undefined ? whole : { ...whole, imagePullSecrets: secrets };
}

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * An hour, and a little more: so the API server knows its own tokens (kubernetes, pkg/serviceaccount/util.go,
 * WarnOnlyBoundTokenExpirationPeriod).
 */
const expirationSeconds = 3607;

const sources: readonly Json[] = [
  { serviceAccountToken: { expirationSeconds, path: 'token' } },
  { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
  { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
];

/**
 * The spec with the token of its account mounted in every container that mounts nothing there; the same spec if all do.
 */
function withToken(spec: Json, name: string): Json {
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
