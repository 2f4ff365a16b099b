import type { StoredObject } from '../objects/objects.ts';
import type { ApiRequest } from './api.ts';
import type { Fields } from './managed-fields/fields.ts';
import { isOf } from './managed-fields/managed-fields.ts';

/**
 * A Lease with a later `renewTime`, where the write changes nothing else and its writer owns the whole object: then
 * only the time of the owner's entry differs, and nothing need be validated or compared. Undefined for every other
 * write, and for one over HTTP. A rehearsal has thousands of renewals.
 */
export function renewed(
  request: ApiRequest,
  now: string,
  before: StoredObject,
  after: StoredObject,
): StoredObject | undefined {
  const { served, dryRun, decoded } = request;
  if (served.kind !== 'Lease' || served.custom || dryRun || decoded !== undefined) return undefined;
  const { managedFields: [entry, ...others] = [] } = before.metadata;
  if (entry === undefined || others.length > 0 || !isOf(entry, { ...request, operation: 'Update' })) return undefined;
  const owned = (entry.fieldsV1 as Fields)['f:spec'] as Fields | undefined;
  if (owned?.['f:renewTime'] === undefined || !differsInRenewal(before, after)) return undefined;
  return { ...after, metadata: { ...after.metadata, managedFields: [{ ...entry, time: now }] } };
}

/** A merge patch shares what it leaves as it is. */
function differsInRenewal(before: StoredObject, after: StoredObject): boolean {
  const [old = {}, spec = {}] = [before.spec, after.spec];
  if (before.metadata !== after.metadata || Object.keys(spec).length !== Object.keys(old).length) return false;
  return Object.keys(spec).every((field) => field === 'renewTime' || spec[field] === old[field]);
}
