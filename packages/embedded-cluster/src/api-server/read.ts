import type { Selectors } from '../kubernetes/cluster.ts';
import { frozen } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import { type FieldRequirement, fieldRequirements, fieldsMatch, type Predicate } from '../objects/selectors.ts';
import type { Api, ApiRequest } from './api.ts';
import { pruned } from './custom-resources/prune.ts';
import { customSchemaOf } from './decoding/schemas.ts';
import { refusals } from './refusals.ts';
import { labelSelector } from './selectors/label-selector.ts';

/** The selectors of a list or a watch, parsed. */
export interface Selection {
  readonly matches: Predicate;
  readonly fields: readonly FieldRequirement[];
}

/** The object of the request; a 404 if there is none. */
export function getObject(api: Api, request: ApiRequest): StoredObject {
  const object = api.objects.get(request.served.collection, request.namespace, request.name ?? '');
  if (object === undefined) throw refusals.notFound(request);
  return atVersion(request, object);
}

/**
 * A custom resource in the version of the request, without the fields that this version does not know (conversion
 * strategy None).
 */
export function atVersion({ served }: Pick<ApiRequest, 'served'>, object: StoredObject): StoredObject {
  const { custom, apiVersion } = served;
  if (!custom || object.apiVersion === apiVersion) return object;
  const schema = customSchemaOf(served);
  const shown = schema === undefined ? object : (pruned(object, schema).value as StoredObject);
  return frozen({ ...shown, apiVersion });
}

/** The selectors of a query, as text. */
export function selectorsOf(query: URLSearchParams): Pick<Selectors, 'labelSelector' | 'fieldSelector'> {
  const [labelSelector, fieldSelector] = [query.get('labelSelector'), query.get('fieldSelector')];
  return { ...(labelSelector !== null && { labelSelector }), ...(fieldSelector !== null && { fieldSelector }) };
}

/** Parses the selectors of a list or a watch; invalid ones are a 400. */
export function selection(
  request: ApiRequest,
  selectors: Pick<Selectors, 'labelSelector' | 'fieldSelector'>,
): Selection {
  const labels = selectors.labelSelector === undefined ? () => true : labelSelector(selectors.labelSelector);
  const { collection, custom } = request.served;
  const fields = fieldRequirements(collection, selectors.fieldSelector ?? '', custom);
  if (typeof labels === 'string') throw refusals.badRequest(request, labels);
  if (typeof fields === 'string') throw refusals.badRequest(request, fields);
  const { namespace } = request;
  return {
    fields,
    matches: (object) =>
      (namespace === undefined || object.metadata.namespace === namespace) &&
      (selectors.labelSelector === undefined || labels(object.metadata.labels ?? {})) &&
      fieldsMatch(object, fields),
  };
}

/** The selected objects, sorted by namespace and name. */
export function listObjects(api: Api, request: ApiRequest, { matches, fields }: Selection): readonly StoredObject[] {
  const { collection } = request.served;
  const node = fields.find(({ path, equal, value }) => path === 'spec.nodeName' && equal && value !== '');
  const name = fields.find(({ path, equal }) => path === 'metadata.name' && equal);
  if (name !== undefined && (request.namespace !== undefined || !request.served.namespaced)) {
    const object = api.objects.get(collection, request.namespace, name.value);
    return object !== undefined && matches(object) ? [atVersion(request, object)] : [];
  }
  const candidates =
    node === undefined ? api.objects.list(collection, request.namespace) : api.objects.podsOn(node.value);
  const selected = candidates.filter(matches);
  return request.served.custom ? selected.map((object) => atVersion(request, object)) : selected;
}
