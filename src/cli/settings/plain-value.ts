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
import { unfoldingFault } from './unfolding.ts';

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

/** How a document becomes a value. */
export interface Unfolding {
  readonly reviver?: Reviver;
  /** Where an offset stands: `web.yaml:14`. */
  readonly placeOf: (offset: number) => string;
  /** What the aliases of the documents before in the same file unfolded to; counted up. */
  readonly unfolded?: { values: number };
}

/**
 * The value of a YAML document, each member as `reviver` returns it; aliases that stand for nothing, for themselves or
 * for too much are a mistake with its place.
 */
export function plainValue(
  document: Document | Document.Parsed,
  { reviver = (_key, value) => value, placeOf, unfolded = { values: 0 } }: Unfolding,
): { readonly value: unknown } | { readonly mistake: string } {
  const fault = unfoldingFault(yaml, document as Document, unfolded);
  if (fault !== undefined) return { mistake: `${placeOf(fault.offset)}: ${fault.sentence}.` };
  return { value: document.toJS({ reviver, maxAliasCount: -1 }) };
}
