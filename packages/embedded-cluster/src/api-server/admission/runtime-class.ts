import type { Json } from '../../objects/json.ts';
import type { Api, ApiRequest } from '../api.ts';
import { refusals } from '../refusals.ts';

/** The admission plugin RuntimeClass: what a pod costs besides its containers is what its class says. */
export function withOverhead(spec: Json, api: Api, at: ApiRequest): Json {
  const { runtimeClassName, overhead } = spec;
  if (runtimeClassName === undefined && overhead === undefined) return spec;
  if (runtimeClassName === undefined)
    throw refusals.forbidden(at, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
  if (runtimeClassName === '') throw refusals.failure(at, 500, 'resource name may not be empty');
  const found = api.objects.get('RuntimeClass.node.k8s.io', undefined, String(runtimeClassName));
  if (found === undefined) throw refusals.forbidden(at, `pod rejected: RuntimeClass "${runtimeClassName}" not found`);
  const { podFixed } = (found.overhead ?? {}) as Json;
  return podFixed === undefined ? spec : { ...spec, overhead: podFixed };
}
