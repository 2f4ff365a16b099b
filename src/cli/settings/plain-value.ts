import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  parseDocument,
} from 'yaml';

/** YAML's parser. Import this module dynamically: a command that reads no YAML starts faster without it. */
export const yaml = {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  parseDocument,
};

type Reviver = (this: unknown, key: unknown, value: unknown) => unknown;

/**
 * The value of a YAML document, each member as `reviver` returns it; `maxAliasCount` as the library has it (-1: the caller bounds what
 * the aliases unfold to). Aliases are resolved here: an alias to nothing or to itself, and one
 * that expands to too much, is a mistake that names the file.
 */
export function plainValue(
  path: string,
  document: Pick<Document, 'toJS'>,
  reviver: Reviver = (_key, value) => value,
  maxAliasCount = 100,
): { readonly value: unknown } | { readonly mistake: string } {
  try {
    return { value: document.toJS({ reviver, maxAliasCount }) };
  } catch (error) {
    const because = error instanceof RangeError ? 'it stands within itself' : (error as Error).message;
    return { mistake: `${path} has an alias that cannot be resolved: ${because}.` };
  }
}
