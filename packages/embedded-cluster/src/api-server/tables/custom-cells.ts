import { isJson } from '../../objects/json.ts';
import type { StoredObject } from '../../objects/objects.ts';
import type { PrinterColumn } from '../kinds/served-kind.ts';
import { ageAt } from './durations.ts';

/** The cell of a column that a CustomResourceDefinition names; null if nothing is there. */
export function customCell(object: StoredObject, { type, jsonPath }: PrinterColumn, nowAt: number): unknown {
  const [value] = valuesAt(object, jsonPath);
  if (value === undefined || value === null) return null;
  if (type === 'date') return ageAt(value, nowAt);
  if (type === 'integer' || type === 'number' || type === 'boolean') return typeof value === 'string' ? null : value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A step of a path: `.name` (with `\\.` for a dot in it), `[0]`, `[*]` or `[?(@.type=="Ready")]`. */
const step = /\.((?:\\.|[^.[\\])+)|\[(\d+)\]|\[(\*)\]|\[\?\(@\.([\w.]+)\s*==\s*["']([^"']*)["']\)\]/g;

function valuesAt(object: unknown, jsonPath: string): readonly unknown[] {
  let values: readonly unknown[] = [object];
  for (const [, name, ...list] of jsonPath.matchAll(step))
    values = values.flatMap((value) => (name === undefined ? itemsAt(value, list) : memberAt(value, name)));
  return values;
}

function memberAt(value: unknown, name: string): readonly unknown[] {
  return isJson(value) ? [value[name.replaceAll('\\', '')]] : [];
}

function itemsAt(value: unknown, [index, all, key = '', wanted]: readonly (string | undefined)[]): readonly unknown[] {
  if (!Array.isArray(value)) return [];
  if (index !== undefined) return [value[Number(index)]];
  return all === undefined ? value.filter((item) => isJson(item) && item[key] === wanted) : value;
}
