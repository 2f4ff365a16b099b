import type { ManagedFields } from '../../../cluster/metadata.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { ApiRequest } from '../api.ts';
import { ownedShape, shapeOf } from '../shapes.ts';
import { compare, type Difference } from './compare.ts';
import { difference, type Fields, union } from './fields.ts';

/** The owner of a set of fields, which an entry of `managedFields` identifies. */
export type Owner = Pick<ApiRequest, 'fieldManager' | 'subresource' | 'served'> & {
  readonly operation: ManagedFields['operation'];
};

/** The object after a write other than apply, with ownership updated: the writer alone owns the fields that it changed. */
export function withUpdate(
  request: ApiRequest,
  now: string,
  before: StoredObject | undefined,
  object: StoredObject,
): StoredObject {
  const changed = differenceOf(request, before, object);
  if (changed.set === undefined && changed.removed === undefined) return object;
  const owner: Owner = { ...request, operation: 'Update' };
  const entries = object.metadata.managedFields ?? [];
  const own = entries.find((entry) => isOf(entry, owner));
  const others = entries.flatMap((entry) => (entry === own ? [] : withoutFields(entry, changed)));
  const fields = joined(difference(own?.fieldsV1 as Fields | undefined, changed.removed), changed.set);
  return withEntries(object, fields === undefined ? others : [...others, entryOf(owner, fields, now)]);
}

/** The difference between two versions in the part that the request may write: `status` only through its subresource. */
export function differenceOf(
  { served, subresource }: ApiRequest,
  before: StoredObject | undefined,
  after: StoredObject,
): Difference {
  if (subresource !== 'status') return compare(before ?? {}, after, ownedShape(served));
  const { set, removed } = compare(before?.status ?? {}, after.status, shapeOf(served).members?.status);
  return { set: set && { 'f:status': set }, removed: removed && { 'f:status': removed } };
}

/** The fields of an object that the request would own. */
export function fieldsToOwn(request: ApiRequest, object: StoredObject): Fields {
  return differenceOf(request, undefined, object).set ?? {};
}

/** Whether the entry is the owner's. */
export function isOf(entry: ManagedFields, { fieldManager, subresource, operation }: Owner): boolean {
  return entry.manager === fieldManager && entry.operation === operation && entry.subresource === subresource;
}

export function entryOf(
  { fieldManager, subresource, operation, served }: Owner,
  fields: Fields,
  time: string,
): ManagedFields {
  return {
    manager: fieldManager,
    operation,
    apiVersion: served.apiVersion,
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
    ...(subresource !== undefined && { subresource }),
  };
}

/** The entry without fields that another write set or removed: a list of one entry, or of none if no field is left. */
export function withoutFields(entry: ManagedFields, { set, removed }: Difference): readonly ManagedFields[] {
  const fields = difference(difference(entry.fieldsV1 as Fields, set), removed);
  if (fields === undefined) return [];
  return [fields === entry.fieldsV1 ? entry : { ...entry, fieldsV1: fields }];
}

/** The object with these `managedFields`; entries of apply come first, as in the API server. */
export function withEntries(object: StoredObject, entries: readonly ManagedFields[]): StoredObject {
  const managedFields = [...entries.filter(isApplied), ...entries.filter((entry) => !isApplied(entry))];
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

const isApplied = ({ operation }: ManagedFields): boolean => operation !== 'Update';

function joined(a: Fields | undefined, b: Fields | undefined): Fields | undefined {
  return a === undefined || b === undefined ? (a ?? b) : union(a, b);
}
