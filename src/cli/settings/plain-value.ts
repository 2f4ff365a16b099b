import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  parseDocument,
  visit,
} from 'yaml';

/** YAML's parser. Import this module dynamically: a command that reads no YAML starts faster without it. */
export const yaml = {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  parseDocument,
  visit,
};

type Reviver = (this: unknown, key: unknown, value: unknown) => unknown;

/**
 * The value of a YAML document, each member as `reviver` returns it. Aliases are resolved here: an alias to nothing or to itself, and one
 * that expands to too much, is a mistake that names the file.
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
