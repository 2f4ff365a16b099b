import type { FieldPath } from '@holdfast/embedded-cluster';
import type { Document } from 'yaml';
import type { yaml as Yaml } from '../settings/plain-value.ts';
import { childrenOf, type Fault, tooDeep } from '../settings/unfolding.ts';
import { fieldText, type Located, lineFinder, type ManifestObject } from './located.ts';
import type { Verbatim } from './not-manifests.ts';

export interface ObjectsOf {
  readonly found: readonly Located[];
  /** One sentence each. */
  readonly mistakes: readonly string[];
  /** Whether all of it is YAML, and no field is named by an object. */
  readonly isRead: boolean;
  /** Its block scalars, looked for only where the text may be a template. */
  readonly verbatim: readonly Verbatim[];
}

/** The objects of a text of YAML or JSON, those of Lists too, and what is wrong with the rest. */
export async function objectsOf(file: string, text: string): Promise<ObjectsOf> {
  const { plainValue, yaml } = await import('../settings/plain-value.ts');
  const lines = new yaml.LineCounter();
  const unfolded = { values: 0 };
  // The version that kubectl reads: `on` and `yes` are true.
  const parsed = yaml.parseAllDocuments(text, { version: '1.1', lineCounter: lines, logLevel: 'error' });
  const documents = 'empty' in parsed ? [] : parsed;
  const read = documents.map((document) => {
    const placeOf = (offset: number) => `${file}:${lines.linePos(offset).line}`;
    const fault = syntaxFault(document) ?? keyFault(yaml, document.contents);
    if (fault !== undefined) return { found: [], mistakes: [`${placeOf(fault.offset)}: ${fault.sentence}.`] };
    const plain = plainValue(document, { reviver: withoutNulls, placeOf, unfolded });
    if ('mistake' in plain) return { found: [], mistakes: [plain.mistake] };
    const lineIn = (base: FieldPath) => lineFinder(yaml, document, lines, base);
    return sorted(file, objectsIn(plain.value, []), lineIn);
  });
  const isTemplate = text.includes('{{');
  return {
    found: read.flatMap(({ found }) => found),
    mistakes: read.flatMap(({ mistakes }) => mistakes),
    isRead: documents.every((one) => one.errors.length === 0 && keyFault(yaml, one.contents) === undefined),
    verbatim: isTemplate ? documents.flatMap(({ contents }) => blockScalars(yaml, contents)) : [],
  };
}

type Placed = ReturnType<typeof objectsIn>;

/** Those that can be sent, and why the others cannot. */
function sorted(file: string, objects: Placed, lineIn: (base: FieldPath) => Located['lineOf']) {
  const found: Located[] = [];
  const mistakes: string[] = [];
  for (const { value, base } of objects) {
    const lineOf = lineIn(base);
    const wrong = mistakeOf(value);
    if (wrong === undefined) found.push({ file, object: value as ManifestObject, lineOf });
    else mistakes.push(`${file}:${lineOf(wrong.field)}: ${wrong.sentence}`);
  }
  return { found, mistakes };
}

function syntaxFault({ errors: [error] }: Pick<Document.Parsed, 'errors'>): Fault | undefined {
  if (error === undefined) return undefined;
  const because = error.message.split('\n')[0]?.replace(/ at line.*$|:$/, '') ?? '';
  const isStack = because.startsWith('Maximum call stack');
  return { offset: error.pos[0], sentence: isStack ? tooDeep : `it is not valid YAML: ${because}` };
}

/** YAML reads `{{ .Values.replicas }}` as an object whose one member is named by an object. */
function keyFault(yaml: typeof Yaml, node: unknown): Fault | undefined {
  const key = yaml.isMap(node) ? node.items.map((pair) => pair.key).find(yaml.isCollection) : undefined;
  if (key !== undefined) return { offset: key.range?.[0] ?? 0, sentence: 'it has an object for the name of a field' };
  for (const child of childrenOf(yaml, node)) {
    const inner = keyFault(yaml, child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The API server treats a member that is null as absent. */
function withoutNulls(this: unknown, _key: unknown, value: unknown): unknown {
  return value === null && !Array.isArray(this) ? undefined : value;
}

/** The value of a document that is empty or only a comment is undefined. */
function objectsIn(value: unknown, base: FieldPath): readonly { readonly value: unknown; readonly base: FieldPath }[] {
  if (value === undefined || value === null) return [];
  const { kind, items } = Object(value);
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [{ value, base }];
  return items.flatMap((item, index) => objectsIn(item, [...base, 'items', index]));
}

/** Why it cannot be sent to an API server at all; everything else is for the API server to say. */
function mistakeOf(value: unknown): { readonly field: FieldPath; readonly sentence: string } | undefined {
  if (typeof value !== 'object' || Array.isArray(value))
    return { field: [], sentence: 'this is no object of Kubernetes.' };
  const { apiVersion, kind, metadata } = Object(value);
  const missing = (field: string) => ({ field: [field], sentence: `${field}: it must be text that is not empty.` });
  if (!isFilled(apiVersion)) return missing('apiVersion');
  if (!isFilled(kind)) return missing('kind');
  const { name } = Object(metadata);
  if (!isFilled(name)) return { field: ['metadata', 'name'], sentence: `metadata.name: ${kind} ${unnamed(name)}.` };
  const field = notFinite(value, []);
  return field && { field, sentence: `${fieldText(field)}: it must be a number that JSON has: write its digits.` };
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';

const unnamed = (name: unknown): string =>
  typeof name === 'number' || typeof name === 'boolean'
    ? 'has a name that is not text: write it in quotes'
    : 'has no name';

/** The path of the first number that JSON cannot hold. */
function notFinite(value: unknown, at: FieldPath): FieldPath | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : at;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = notFinite(member, [...at, Array.isArray(value) ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function blockScalars(yaml: typeof Yaml, node: unknown): readonly Verbatim[] {
  if (yaml.isScalar(node)) {
    const [from = 0, to = 0] = node.type?.startsWith('BLOCK') === true ? (node.range ?? []) : [];
    return to > from ? [[from, to]] : [];
  }
  return childrenOf(yaml, node).flatMap((child) => blockScalars(yaml, child));
}
