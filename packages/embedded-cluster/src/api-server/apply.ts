import type { StatusCause } from '../kubernetes/cluster.ts';
import type { ManagedFields } from '../kubernetes/metadata.ts';
import { frozen, isJson, type Json } from '../objects/json.ts';
import type { StoredObject } from '../objects/objects.ts';
import type { Api, ApiRequest } from './api.ts';
import { decodedObject, newObject, requireSamePlace, settle } from './create.ts';
import { type Fields, intersection, paths, unclaimed, union } from './managed-fields/fields.ts';
import {
  differenceOf,
  entriesAfterUpdate,
  entryOf,
  fieldsToOwn,
  isOf,
  type Owner,
  sorted,
  withEntries,
  withoutFields,
} from './managed-fields/managed-fields.ts';
import { mergeApplied, withoutOwned } from './managed-fields/merge.ts';
import { refusals } from './refusals.ts';
import { shapeOf } from './shapes.ts';
import { proposedVersion, store } from './update.ts';

/**
 * Server-side apply (Kubernetes documentation, "Server-Side Apply"). The manager owns the applied fields. A field that
 * it applied before and no longer applies is removed unless another manager owns it. Changing another manager's field
 * is a 409 unless forced.
 */
export function applyObject(api: Api, sent: ApiRequest, body: unknown, force: boolean): StoredObject {
  // What is applied is owned in the stored version.
  const request = { ...sent, ownedAs: undefined };
  const named = nameOf(body);
  const isOther = named !== '' && request.name !== undefined && named !== request.name;
  const applied = decodedObject(isOther ? { ...request, name: named } : request, body);
  if (applied.metadata.managedFields !== undefined)
    throw refusals.badRequest(request, 'metadata.managedFields must be nil');
  const fields = fieldsToOwn(request, frozen(applied));
  const live = api.objects.get(request.served.collection, request.namespace, request.name ?? named);
  // Conflicts with other managers are reported before a name that differs from the path's.
  if (isOther && (live === undefined || force)) requireSamePlace(request, applied);
  if (live === undefined) return applyNew(api, request, applied, fields);
  return applyOver(api, request, { live, applied, fields, force });
}

function nameOf(body: unknown): string {
  const { metadata }: Json = isJson(body) ? body : {};
  return isJson(metadata) && typeof metadata.name === 'string' ? metadata.name : '';
}

function applyNew(api: Api, request: ApiRequest, applied: StoredObject, fields: Fields | undefined): StoredObject {
  const { uid = '' } = applied.metadata;
  const mismatch = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  if (uid !== '') throw refusals.conflict(request, mismatch);
  const { object } = newObject(api, request, made(request, applied));
  const stored = store(api, request, withEntries(object, ownEntry(request, fields, api.now())));
  if (!request.dryRun) settle(api, request, stored);
  return stored;
}

const made = ({ appliedAs }: ApiRequest, object: StoredObject): StoredObject =>
  (appliedAs?.(object) ?? object) as StoredObject;

/** The entry of the manager, or none if it owns nothing. */
function ownEntry(request: ApiRequest, fields: Fields | undefined, time: string | undefined): readonly ManagedFields[] {
  return fields === undefined ? [] : [entryOf(ownerOf(request), fields, time)];
}

interface Application {
  readonly live: StoredObject;
  readonly applied: StoredObject;
  readonly fields: Fields | undefined;
  readonly force: boolean;
}

function applyOver(api: Api, request: ApiRequest, { live, applied, fields, force }: Application): StoredObject {
  const shape = shapeOf(request.served);
  const owner = ownerOf(request);
  const entries = entriesBeforeApply(api, request, live);
  const others = entries.filter((entry) => !isOf(entry, owner));
  const own = entries.find((entry) => isOf(entry, owner));
  const merged = mergeApplied(live, restricted(request, applied), shape);
  const abandoned = abandonedFields(own, fields, others);
  const proposed = (abandoned === undefined ? merged : withoutOwned(merged, abandoned, shape)) as StoredObject;
  const changed = differenceOf(request, live, proposed);
  if (!force) requireNoConflict(request, others, intersection(changed.set, fields));
  requireSamePlace(request, applied);
  const { object: next } = proposedVersion(api, request, live, made(request, proposed));
  if (next === live && sameFields(own?.fieldsV1 as Fields | undefined, fields)) return live;
  const remaining = others.flatMap((entry) => withoutFields(entry, changed));
  const time = next === live ? own?.time : api.now();
  return store(api, request, withEntries(next, sorted([...remaining, ...ownEntry(request, fields, time)])));
}

/** Of an object that nobody has tracked, everything belongs to `before-first-apply`. */
function entriesBeforeApply(api: Api, request: ApiRequest, live: StoredObject): readonly ManagedFields[] {
  const { managedFields = [] } = live.metadata;
  if (managedFields.length > 0) return managedFields;
  return entriesAfterUpdate({ ...request, fieldManager: 'before-first-apply' }, api.now(), undefined, live);
}

function ownerOf(request: ApiRequest): Owner {
  return { ...request, operation: 'Apply' };
}

/**
 * Through the status subresource only `status` is applied; without it `status` is ignored later, in `proposedVersion`.
 */
function restricted({ subresource }: ApiRequest, applied: StoredObject): StoredObject {
  const { apiVersion, kind, metadata, status } = applied;
  return subresource === 'status' ? ({ apiVersion, kind, metadata, status } as StoredObject) : applied;
}

/** The fields that the manager applied last time and not now, and of which no other manager owns any part. */
function abandonedFields(
  own: ManagedFields | undefined,
  fields: Fields | undefined,
  others: readonly ManagedFields[],
): Fields | undefined {
  const claims = others.map((entry) => entry.fieldsV1 as Fields);
  return [fields, ...claims].reduce(
    (left: Fields | undefined, claim) => unclaimed(left, claim),
    own?.fieldsV1 as Fields | undefined,
  );
}

function sameFields(a: Fields | undefined, b: Fields | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return union(a, b) === a && union(b, a) === b;
}

function requireNoConflict(request: ApiRequest, others: readonly ManagedFields[], changed: Fields | undefined): void {
  const conflicts = others.flatMap((entry) => {
    const contested = intersection(entry.fieldsV1 as Fields, changed);
    // A Scale is of a version of its own.
    const seen = request.subresource === 'scale' ? { ...entry, apiVersion: 'autoscaling/v1' } : entry;
    return contested === undefined ? [] : paths(contested).map((field) => ({ owner: managerText(seen), field }));
  });
  if (conflicts.length === 0) return;
  const causes: readonly StatusCause[] = conflicts.map(({ owner, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${owner}`,
    field,
  }));
  throw refusals.applyConflict(request, conflictMessage(conflicts), causes);
}

type Conflict = { readonly owner: string; readonly field: string };

/** In the words of the API server (apimachinery, fieldmanager/internal/conflict.go). */
function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined)
    return `Apply failed with 1 conflict: conflict with ${first.owner}: ${first.field}`;
  const owners = Object.entries(Object.groupBy(conflicts, ({ owner }) => owner)).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const each = owners.flatMap(([owner, theirs = []]) => [
    `conflicts with ${owner}:`,
    ...theirs.map(({ field }) => `- ${field}`),
  ]);
  return `Apply failed with ${conflicts.length} conflicts: ${each.join('\n')}`;
}

function managerText({ manager, subresource, operation, apiVersion }: ManagedFields): string {
  const who = subresource === undefined ? `"${manager}"` : `"${manager}" with subresource "${subresource}"`;
  return operation === 'Apply' ? who : `${who} using ${apiVersion}`;
}
