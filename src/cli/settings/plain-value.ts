import type { Document } from 'yaml';

type Reviver = (this: unknown, key: unknown, value: unknown) => unknown;

/**
 * What stands in a YAML document, each member as `reviver` gives it back. Aliases are resolved only here: one of nothing, of
 * itself or of far too much is a mistake that names the file.
 */
export function plainValue(
  path: string,
  document: Pick<Document, 'toJS'>,
  reviver: Reviver = (_key, value) => value,
): { readonly value: unknown } | { readonly mistake: string } {
  try {
    return { value: document.toJS({ reviver }) };
  } catch (error) {
    const because = error instanceof RangeError ? 'it stands within itself' : (error as Error).message;
    return { mistake: `${path} has an alias that cannot be resolved: ${because}.` };
  }
}
