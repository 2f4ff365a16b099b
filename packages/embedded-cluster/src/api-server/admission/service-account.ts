import { isJson, type Json } from '../../objects/json.ts';
import type { Api, ApiRequest } from '../api.ts';
import { refusals } from '../refusals.ts';
import { withToken } from './token-volume.ts';

/** The account that the ServiceAccount controller makes in every namespace. */
const everywhere = 'default';

/**
 * The admission plugin ServiceAccount (kubernetes, plugin/pkg/admission/serviceaccount): a pod has an account, which has to exist. The
 * controller that makes `default` is not here, so that this one counts as there. A client's pod gets the account's token as a volume, and its
 * image pull secrets; a pod that a controller of the cluster makes in process does not, because nothing there would read them.
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
