import type { Json } from '../objects/json.ts';
import type { Objects, StoredObject } from '../objects/objects.ts';
import type { CustomType } from './custom-resources/custom-type.ts';
import type { Identities } from './identities.ts';
import { type RefusalSubject, refusals } from './refusals.ts';
import type { Served } from './served.ts';

/** The state that every verb works on. */
export interface Api {
  readonly objects: Objects;
  readonly identities: Identities;
  /** The current time as meta/v1 Time. */
  readonly now: () => string;
  readonly allows: (user: string, attributes: ResourceAttributes) => boolean;
}

/** authorization/v1 ResourceAttributes. */
export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** One request after routing, whether it came over HTTP or from a controller. */
export interface ApiRequest extends RefusalSubject {
  readonly subresource?: string | undefined;
  readonly user: string;
  readonly fieldManager: string;
  readonly dryRun: boolean;
  /**
   * The version of the API in which the request was made, and the object in it, if it is stored in another one:
   * managers own fields of that.
   */
  readonly ownedAs?: { readonly served: Served; readonly of: (object: object) => object } | undefined;
  /** Decodes the result of a patch by the types of the API. In process it is used as it is. */
  readonly decoded?: (patched: Json) => Json;
  /** Decodes the result of an apply by the types of the API. In process it is used as it is. */
  readonly appliedAs?: ((object: Json) => Json) | undefined;
  /** The type of a custom resource that is written over HTTP. In process its objects are taken as they are. */
  readonly customType?: CustomType | undefined;
  /** Collects the warnings of the answer. In process there are none. */
  readonly warnings?: string[];
  /** What the types of Kubernetes always write, filled in. In process objects are taken as they are. */
  readonly typed?: ((object: StoredObject) => StoredObject) | undefined;
}

/** Throws a 403 if the user may not make the request. */
export function authorize(api: Api, request: ApiRequest): void {
  const { verb, served, subresource, namespace, name, user } = request;
  if (api.allows(user, { verb, group: served.group, resource: served.plural, subresource, namespace, name })) return;
  const resource = subresource === undefined ? served.plural : `${served.plural}/${subresource}`;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const what = `cannot ${verb} resource "${resource}" in API group "${served.group}"`;
  throw refusals.forbidden(request, `User "${user}" ${what} ${where}`);
}
