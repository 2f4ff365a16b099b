import { isJson, sameJson } from '../../objects/json.ts';

/** JSON Merge Patch (RFC 7396). Parts that it does not change are shared, not copied; where it changes nothing the result is `target` itself. */
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
