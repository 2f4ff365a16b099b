import type { ManagedFields } from '../../kubernetes/metadata.ts';
import type { Json } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { ApiRequest } from '../api.ts';
import { shapeOf } from '../shapes.ts';
import { ownedByStatus, writesMetadata } from '../status-metadata.ts';
import { appliedFields, compare, type Difference } from './compare.ts';
import { difference, type Fields, union } from './fields.ts';

/** The owner of a set of fields, which an entry of `managedFields` identifies. */
export type Owner = Pick<ApiRequest, 'fieldManager' | 'subresource' | 'served' | 'ownedAs'> & {
  readonly operation: ManagedFields['operation'];
};

/** A version of an object, still without new `managedFields`. */
export interface Version {
  readonly object: StoredObject;
  /**
   * What the client asked for, with defaults, and nothing of what the server added or took away then: managers own only
   * that.
   */
  readonly owned: StoredObject;
}

/** The version with the `managedFields` after a write other than apply. */
export function withUpdate(
  request: ApiRequest,
  now: string,
  before: StoredObject | undefined,
  { object, owned }: Version,
): StoredObject {
  const entries = entriesAfterUpdate(request, now, before, owned);
  return entries === owned.metadata.managedFields ? object : withEntries(object, entries);
}

/**
 * The `managedFields` after a write other than apply: the writer alone owns the fields that it changed. An object that
 * nobody has tracked since it was created stays so.
 */
export function entriesAfterUpdate(
  request: ApiRequest,
  now: string,
  before: StoredObject | undefined,
  after: StoredObject,
): readonly ManagedFields[] {
  const entries = after.metadata.managedFields ?? [];
  if (before !== undefined && entries.length === 0) return entries;
  const changed = differenceOf(request, before, after);
  if (changed.set === undefined && changed.removed === undefined) return entries;
  if (changed.set === undefined) return entries.flatMap((entry) => withoutFields(entry, changed));
  const owner: Owner = { ...request, operation: 'Update' };
  const own = entries.find((entry) => isOf(entry, owner));
  const left = entries.flatMap((entry) => (entry === own ? [] : withoutFields(entry, changed)));
  const kept = difference(own?.fieldsV1 as Fields | undefined, changed.removed);
  const fields = kept === undefined ? changed.set : union(kept, changed.set);
  return sorted([...left, entryOf(owner, fields, now)]);
}

/** The difference between two versions in the part that the request may own. */
export function differenceOf(request: ApiRequest, before: StoredObject | undefined, after: StoredObject): Difference {
  const next = ownable(request, inVersion(request, after));
  // One object for the metadata that both share, which then need not be compared.
  const shared = before?.metadata === after.metadata ? (next.metadata as Json) : undefined;
  const old = before === undefined ? {} : ownable(request, inVersion(request, before), shared);
  return compare(old, next, shapeOf(versionOf(request)));
}

/** The kind in the version of the request. */
const versionOf = ({ served, ownedAs }: Pick<ApiRequest, 'served' | 'ownedAs'>) => ownedAs?.served ?? served;

function inVersion({ ownedAs }: ApiRequest, object: StoredObject): StoredObject {
  return ownedAs === undefined ? object : (ownedAs.of(object) as StoredObject);
}

/** The fields of an applied object that the request would own. */
export function fieldsToOwn(request: ApiRequest, object: StoredObject): Fields | undefined {
  const { metadata, ...rest } = ownable(request, object);
  const isBare = Object.keys(metadata as Json).length === 0;
  return appliedFields(isBare ? rest : { metadata, ...rest }, shapeOf(request.served));
}

/**
 * The part of an object that the request may own: nothing that the server sets, and `status` only through its
 * subresource.
 */
function ownable({ served, subresource }: ApiRequest, object: StoredObject, known?: Json): Json {
  const { apiVersion: _, kind: _kind, status, metadata, ...rest } = object;
  if (subresource === 'status') {
    const own = writesMetadata(served) ? ownedByStatus(served, ownableMetadata(metadata)) : {};
    return { ...(status !== undefined && { status }), metadata: known ?? own };
  }
  const owned = { ...rest, metadata: known ?? ownableMetadata(metadata) };
  return status === undefined || served.subresources.includes('status') ? owned : { ...owned, status };
}

function ownableMetadata({
  name: _,
  namespace: _namespace,
  uid: _uid,
  creationTimestamp: _created,
  deletionTimestamp: _deleted,
  deletionGracePeriodSeconds: _grace,
  generation: _generation,
  managedFields: _managed,
  resourceVersion: _version,
  selfLink: _link,
  ...rest
}: Json): Json {
  return rest;
}

/** Whether the entry is the owner's. One who applies is the same in every version of the API. */
export function isOf(entry: ManagedFields, owner: Owner): boolean {
  const { fieldManager, subresource, operation } = owner;
  if (entry.manager !== fieldManager || entry.operation !== operation || entry.subresource !== subresource)
    return false;
  return operation === 'Apply' || entry.apiVersion === versionOf(owner).apiVersion;
}

/**
 * Without a time where the API server writes none: for what the subresource `scale` sets, and for who applies what is
 * there already.
 */
export function entryOf(owner: Owner, fields: Fields, time: string | undefined): ManagedFields {
  const { fieldManager, subresource, operation } = owner;
  return {
    manager: fieldManager,
    operation,
    apiVersion: versionOf(owner).apiVersion,
    ...(time !== undefined && subresource !== 'scale' && { time }),
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

/** The object with these `managedFields`. */
export function withEntries(object: StoredObject, managedFields: readonly ManagedFields[]): StoredObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: managedFields.length === 0 ? metadata : { ...metadata, managedFields } };
}

/** In the order of the API server: those of apply first, then by time, name, version and subresource. */
export function sorted(entries: readonly ManagedFields[]): readonly ManagedFields[] {
  if (entries.length === 1) return entries;
  return entries.toSorted(
    (a, b) =>
      inOrder(a.operation, b.operation) ||
      inOrder(a.time, b.time) ||
      inOrder(a.manager, b.manager) ||
      inOrder(a.apiVersion, b.apiVersion) ||
      inOrder(a.subresource, b.subresource),
  );
}

const inOrder = (a = '', b = ''): number => (a < b ? -1 : Number(a > b));
