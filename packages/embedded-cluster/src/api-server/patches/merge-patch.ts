import { isJson } from '../../objects/json.ts';

/** JSON Merge Patch (RFC 7396). Parts that the patch does not touch are shared, not copied. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJson(patch)) return patch;
  const merged: Record<string, unknown> = isJson(target) ? { ...target } : {};
  for (const key in patch) {
    const value = patch[key];
    if (value === null) delete merged[key];
    else if (value !== undefined) merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}
