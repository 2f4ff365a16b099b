import type { ManagedFields } from '../../../cluster/metadata.ts';
import type { Json } from '../../json.ts';
import type { StoredObject } from '../../objects.ts';
import type { ApiRequest } from '../api.ts';
import type { Served } from '../served.ts';
import { shapeOf } from '../shapes.ts';
import { compare, type Difference } from './compare.ts';
import { difference, type Fields, union } from './fields.ts';

/** Who a set of fields belongs to. */
export type Owner = Pick<ApiRequest, 'fieldManager' | 'subresource' | 'served'> & {
  readonly operation: ManagedFields['operation'];
};

/** The object with the ownership of what a write other than apply changed: the writer has it now, and nobody else. */
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
  const kept = entries.flatMap((entry) => (isOf(entry, owner) ? [] : withoutFields(entry, changed)));
  const own = entries.find((entry) => isOf(entry, owner));
  const fields = joined(difference(own?.fieldsV1 as Fields | undefined, changed.removed), changed.set);
  return withEntries(object, fields === undefined ? kept : [...kept, entryOf(owner, fields, now)]);
}

/** What differs between two versions in the part that the request may write. */
export function differenceOf(request: ApiRequest, before: StoredObject | undefined, after: StoredObject): Difference {
  return compare(before && ownable(request, before), ownable(request, after), shapeOf(request.served.kind));
}

const serverSet = new Set([
  'name',
  'namespace',
  'generateName',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
]);

/** The fields that can have an owner: none that the server sets, and status only through its subresource. */
export function ownable(
  { served, subresource }: Pick<ApiRequest, 'served' | 'subresource'>,
  object: StoredObject,
): Json {
  if (subresource === 'status') return { status: object.status };
  const { apiVersion: _, kind: __, metadata, status, ...rest } = object;
  const owned = Object.fromEntries(Object.entries(metadata).filter(([key]) => !serverSet.has(key)));
  const own = Object.keys(owned).length > 0 && { metadata: owned };
  return { ...own, ...rest, ...(!hasStatus(served) && status !== undefined && { status }) };
}

function hasStatus({ subresources }: Served): boolean {
  return subresources.includes('status');
}

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

/** The entry without what others have now; nothing when nothing is left. */
export function withoutFields(entry: ManagedFields, { set, removed }: Difference): readonly ManagedFields[] {
  const fields = difference(difference(entry.fieldsV1 as Fields, set), removed);
  if (fields === undefined) return [];
  return [fields === entry.fieldsV1 ? entry : { ...entry, fieldsV1: fields }];
}

/** Those who apply come first, as the server sorts them. */
export function withEntries(object: StoredObject, entries: readonly ManagedFields[]): StoredObject {
  const managedFields = entries.toSorted((a, b) => Number(a.operation === 'Update') - Number(b.operation === 'Update'));
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

function joined(a: Fields | undefined, b: Fields | undefined): Fields | undefined {
  return a === undefined || b === undefined ? (a ?? b) : union(a, b);
}
