import { isJson, type Json } from '../../objects/json.ts';
import { goText } from '../decoding/go-values.ts';
import { itemOf, memberOf, type Shape } from '../shapes.ts';

/** Why a strategic merge patch cannot be applied, and the status of the refusal. */
export interface StrategicFault {
  readonly status: 400 | 500;
  readonly why: string;
}

/**
 * The first fault in the form of a patch, in the words of the API server (apimachinery, pkg/util/strategicpatch);
 * undefined if it has none.
 */
export function strategicFault(patch: unknown, shape: Shape | undefined): StrategicFault | undefined {
  if (Array.isArray(patch)) return faultOfList(patch, shape);
  if (!isJson(patch)) return undefined;
  return directiveFault(patch) ?? first(Object.entries(patch), ([key, value]) => faultOfMember(key, value, shape));
}

function faultOfMember(key: string, value: unknown, shape: Shape | undefined): StrategicFault | undefined {
  return key.startsWith('$') ? undefined : strategicFault(value, memberOf(shape, key));
}

const wrongOrder: StrategicFault = { status: 400, why: 'invalid patch format of setElementOrder list' };

function directiveFault(patch: Json): StrategicFault | undefined {
  if ('$setElementOrder' in patch) return wrongOrder;
  const { $patch } = patch;
  if ($patch !== undefined && !(typeof $patch === 'string' && ['delete', 'merge', 'replace'].includes($patch)))
    return { status: 500, why: `unknown patch type: ${goText($patch)} in map: ${goText(patch)}` };
  return undefined;
}

function faultOfList(items: readonly unknown[], shape: Shape | undefined): StrategicFault | undefined {
  const key = shape?.merges?.key;
  if (key === undefined) return undefined;
  return first(items, (item) => {
    if (!isJson(item) || item.$patch === 'replace') return undefined;
    if (item[key] === undefined)
      return { status: 500, why: `map: ${goText(item)} does not contain declared merge key: ${key}` };
    return strategicFault(item, itemOf(shape));
  });
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
