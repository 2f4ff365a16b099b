import type { CopiedObject } from './copy.ts';
import { kept } from './kept-fields.ts';
import { keptKinds } from './kept-kinds.ts';
import { kindOf } from './kind-of.ts';
import { faultsOf } from './object-faults.ts';
import { type Piece, TextFault } from './split-json.ts';

/** An object of a file as it stands there. */
export interface Parsed {
  readonly value: object;
  readonly list: Piece['list'];
}

export function parsedJson({ text, list }: Piece): Parsed {
  try {
    return { value: objectOf(JSON.parse(text)), list };
  } catch (error) {
    throw error instanceof SyntaxError ? new TextFault('an object in it is not valid JSON') : error;
  }
}

/** Undefined for a kind that is not kept, which costs no parsing. */
export async function parsedYaml({ text, list }: Piece): Promise<Parsed | undefined> {
  const kind = /^kind: *["']?([A-Za-z0-9]+)/m.exec(text)?.[1];
  if (kind !== undefined && !Object.hasOwn(keptKinds, kind)) return undefined;
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { logLevel: 'error' });
  const [error] = document.errors;
  const because = error?.message.split('\n')[0]?.replace(/ at line.*$|:$/, '');
  if (error !== undefined) throw new TextFault(`it is not valid YAML: ${because}`);
  return { value: objectOf(plain(document)), list };
}

function plain(document: { toJS(options: { readonly maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw new TextFault('it has an alias, which no dump of a cluster has');
  }
}

function objectOf(value: unknown): object {
  if (typeof value !== 'object' || value === null) throw new TextFault('it is no object of Kubernetes');
  return value;
}

/**
 * What is kept of the object; undefined for a kind that no copy has. Throws a `TextFault` if it is not as the API has
 * it.
 */
export function copiedObject({ value, list }: Parsed, path: string): CopiedObject | undefined {
  const kind = kindOf(value, list, path);
  const known = kind === undefined || !Object.hasOwn(keptKinds, kind) ? undefined : keptKinds[kind];
  if (kind === undefined || known === undefined || !isServedAs(value, known.apiVersion)) return undefined;
  const object = { apiVersion: known.apiVersion, kind, ...(kept(known.fields, value) as object) } as CopiedObject;
  const [fault] = faultsOf(object);
  if (fault !== undefined) throw new TextFault(`${fault} is not as the API of Kubernetes has it`);
  return object;
}

/** A kind of the same name in another group is another kind: `Service` of serving.knative.dev. */
function isServedAs({ apiVersion }: { readonly apiVersion?: unknown }, wanted: string): boolean {
  return typeof apiVersion !== 'string' || groupOf(apiVersion) === groupOf(wanted);
}

const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
