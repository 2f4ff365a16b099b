import { isJson } from '../../objects/json.ts';

/** RFC 7396. What the patch does not reach is the same part, not a copy. */
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
