import type { Json } from '../../objects/json.ts';
import type { Api, ApiRequest } from '../api.ts';
import { refusals } from '../refusals.ts';

/** The account that the ServiceAccount controller makes in every namespace. */
const everywhere = 'default';

/**
 * The admission plugin ServiceAccount (kubernetes, plugin/pkg/admission/serviceaccount): a pod has an account, which has to exist. The
 * controller that makes `default` is not here, so that this one counts as there. No token is mounted.
 */
export function withServiceAccount(spec: Json, api: Api, at: ApiRequest): Json {
  const { serviceAccountName = '' } = spec;
  if (serviceAccountName === '') return { ...spec, serviceAccountName: everywhere, serviceAccount: everywhere };
  const name = String(serviceAccountName);
  if (name !== everywhere && api.objects.get('ServiceAccount.', at.namespace, name) === undefined)
    throw refusals.forbidden(
      at,
      `error looking up service account ${at.namespace}/${name}: serviceaccount "${name}" not found`,
    );
  return spec;
}
