import type { Selectors } from '../../cluster/cluster.ts';
import type { StoredObject } from '../objects/objects.ts';
import {
  type FieldRequirement,
  fieldRequirements,
  fieldsMatch,
  labelSelector,
  type Predicate,
} from '../objects/selectors.ts';
import type { Api, ApiRequest } from './api.ts';
import { refusals } from './refusals.ts';

/** What a list or a watch is about. */
export interface Selection {
  readonly matches: Predicate;
  readonly fields: readonly FieldRequirement[];
}

/** The object, or a 404. */
export function getObject(api: Api, request: ApiRequest): StoredObject {
  const object = api.objects.get(request.served.kind, request.namespace, request.name ?? '');
  if (object === undefined) throw refusals.notFound(request);
  return object;
}

/** The selectors of a query, as they were written. */
export function selectorsOf(query: URLSearchParams): Pick<Selectors, 'labelSelector' | 'fieldSelector'> {
  const [labelSelector, fieldSelector] = [query.get('labelSelector'), query.get('fieldSelector')];
  return { ...(labelSelector !== null && { labelSelector }), ...(fieldSelector !== null && { fieldSelector }) };
}

/** The selectors of a list or a watch, read; a mistake in them is a 400. */
export function selection(request: ApiRequest, where: Pick<Selectors, 'labelSelector' | 'fieldSelector'>): Selection {
  const labels = where.labelSelector === undefined ? () => true : labelSelector(where.labelSelector);
  const fields = fieldRequirements(request.served.kind, where.fieldSelector ?? '');
  if (typeof labels === 'string') throw refusals.badRequest(request, labels);
  if (typeof fields === 'string') throw refusals.badRequest(request, fields);
  const { namespace } = request;
  return {
    fields,
    matches: (object) =>
      (namespace === undefined || object.metadata.namespace === namespace) &&
      (where.labelSelector === undefined || labels(object.metadata.labels ?? {})) &&
      fieldsMatch(object, fields),
  };
}

/** In the order of namespace and name. */
export function listObjects(api: Api, request: ApiRequest, { matches, fields }: Selection): readonly StoredObject[] {
  const { kind } = request.served;
  const node = fields.find(({ path, equal, value }) => path === 'spec.nodeName' && equal && value !== '');
  const name = fields.find(({ path, equal }) => path === 'metadata.name' && equal);
  if (name !== undefined && (request.namespace !== undefined || !request.served.namespaced)) {
    const object = api.objects.get(kind, request.namespace, name.value);
    return object !== undefined && matches(object) ? [object] : [];
  }
  const candidates = node === undefined ? api.objects.list(kind, request.namespace) : api.objects.podsOn(node.value);
  return candidates.filter(matches);
}
