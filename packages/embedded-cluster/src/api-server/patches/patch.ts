import type { Patch } from '../../kubernetes/cluster.ts';
import { isJson, type Json, sameJson } from '../../objects/json.ts';
import type { ApiRequest } from '../api.ts';
import { withoutNulls } from '../create.ts';
import { refusals } from '../refusals.ts';
import { shapeOf } from '../shapes.ts';
import { jsonPatch } from './json-patch.ts';
import { strategicFault } from './strategic-fault.ts';
import { strategicMergePatch } from './strategic-merge-patch.ts';

/**
 * The object after the patch. A strategic patch of a custom resource is a 415 and one of another form a 400 or a 500, a
 * JSON patch that does not apply a 422.
 */
export function patched<T extends Json>(request: ApiRequest, object: T, patch: Patch): T {
  const { served, subresource } = request;
  if (patch.type === 'merge') return mergePatch(object, patch.value) as T;
  if (patch.type === 'json') {
    const outcome = jsonPatch(object, patch.value);
    // A document that is replaced by null decodes as it was.
    if (outcome?.value === null) return object;
    if (typeof outcome?.value !== 'object') throw refusals.unprocessable(request);
    return withoutNulls(outcome.value) as T;
  }
  if (served.custom)
    throw refusals.unsupportedMediaType(
      request,
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
  const shape = subresource === 'scale' ? undefined : shapeOf(served);
  const fault = strategicFault(patch.value, shape);
  if (fault?.status === 400) throw refusals.badRequest(request, fault.why);
  if (fault !== undefined) throw refusals.failure(request, fault.status, fault.why);
  return strategicMergePatch(object, patch.value, shape) as T;
}

/**
 * JSON Merge Patch (RFC 7396). Parts that it does not change are shared, not copied; where it changes nothing the
 * result is `target` itself.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJson(patch)) return sameJson(target, patch) ? target : patch;
  const merged: Record<string, unknown> = isJson(target) ? { ...target } : {};
  let same = isJson(target);
  for (const key in patch) if (patch[key] !== undefined && !keepsMember(merged, key, patch[key])) same = false;
  return same ? target : merged;
}

/** Patches one member of the object; whether it was so before. */
function keepsMember(object: Record<string, unknown>, key: string, patch: unknown): boolean {
  const before = object[key];
  if (patch === null) {
    delete object[key];
    return before === undefined;
  }
  object[key] = mergePatch(before, patch);
  return object[key] === before;
}
