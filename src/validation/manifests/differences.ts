/**
 * JSON Pointers (RFC 6901) of the values that differ between two documents, with the members that only one of them has.
 */
export function differences(before: unknown, after: unknown, pointer = ''): readonly string[] {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differences(before[key], after[key], `${pointer}/${escaped(key)}`));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => differences(item, after[index], `${pointer}/${index}`));
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [pointer];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
