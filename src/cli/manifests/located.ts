import type { FieldPath } from '@holdfast/embedded-cluster';
import type { Document, Node } from 'yaml';
import type { yaml as Yaml } from '../settings/plain-value.ts';

/** An object of a manifest, and where it stands. */
export interface Located {
  readonly file: string;
  readonly object: ManifestObject;
  /** The line, from 1, of a field of the object; of the nearest field around it if it is not written. */
  readonly lineOf: (field: FieldPath) => number;
  /** The field as it is written in the file, if this object replaces another one. */
  readonly standsFor?: string;
}
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}
/** Finds the lines of a document's fields; `base` is where the object stands in it. */
export function lineFinder(
  yaml: typeof Yaml,
  document: Pick<Document, 'contents'> & Pick<Document.Parsed, 'range'>,
  lines: { linePos(offset: number): { readonly line: number } },
  base: FieldPath,
): Located['lineOf'] {
  return (field) => {
    let node: unknown = document.contents;
    let at = startOf(node) ?? document.range[0];
    for (const step of [...base, ...field]) {
      const next = stepInto(yaml, document as Document, node, step);
      if (next === undefined) break;
      [node, at] = [next.node, next.at ?? at];
    }
    return lines.linePos(at).line;
  };
}

const startOf = (node: unknown): number | undefined => (node as Partial<Node> | null)?.range?.[0];

interface Stepped {
  readonly node: unknown;
  readonly at: number | undefined;
}

function stepInto(yaml: typeof Yaml, document: Document, from: unknown, step: string | number): Stepped | undefined {
  const node = yaml.isAlias(from) ? from.resolve(document) : from;
  if (yaml.isSeq(node) && typeof step === 'number' && step < node.items.length)
    return { node: node.items[step], at: startOf(node.items[step]) };
  if (!yaml.isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => yaml.isScalar(key) && String(key.value) === String(step));
  return pair && { node: pair.value, at: startOf(pair.key) };
}

/** Of an object that names no namespace, as kubectl takes it without a context. */
export const fallbackNamespace = 'default';

export const namespaceOf = ({ metadata: { namespace = fallbackNamespace } }: ManifestObject): string => namespace;

/** A path as Kubernetes writes it: `spec.ports[0].port`. */
export const fieldText = (field: FieldPath): string =>
  field
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
