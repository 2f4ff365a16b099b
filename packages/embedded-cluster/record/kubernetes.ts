import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Json = Readonly<Record<string, unknown>>;

interface Schema extends Json {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly Readonly<Record<'group' | 'version' | 'kind', string>>[];
}
/** Definitions of Kubernetes' OpenAPI documents by name. */
export type Schemas = Readonly<Record<string, Schema>>;

/** What the Go types of a version say: see go/types.go. */
export interface GoTypes {
  readonly kinds: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, string>>;
  readonly template: Json;
}

/** Where Go has put the sources of that version of Kubernetes, such as `1.34.4`; downloaded at the first use. */
export function sourcesOf(version: string): string {
  const answer = execFileSync('go', ['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`], {
    encoding: 'utf8',
  });
  return (JSON.parse(answer) as { readonly Dir: string }).Dir;
}

/** The Go types of that version, printed by go/types.go in a module that requires k8s.io/api of it. */
export function goTypesOf(version: string): GoTypes {
  const needs = ['api', 'apimachinery', 'client-go'].map(
    (name) => `require k8s.io/${name} ${libraryVersion(version)}\n`,
  );
  return goRun('types.go', needs.join('')) as GoTypes;
}

/**
 * The columns of the tables of kubectl by kind, printed by go/columns.go from Kubernetes' own printers: this compiles a
 * good part of Kubernetes. A kind that has no printer has no columns here.
 */
export function columnsOf(version: string): Readonly<Record<string, unknown>> {
  const module = readFileSync(join(sourcesOf(version), 'go.mod'), 'utf8');
  const staged = [...module.matchAll(/^\t(k8s\.io\/[\w-]+) => \.\/staging/gm)].map(
    ([, name]) => `replace ${name} => ${name} ${libraryVersion(version)}\n`,
  );
  return goRun('columns.go', `require k8s.io/kubernetes v${version}\n${staged.join('')}`) as Json;
}

/** k8s.io/api 0.34.4 belongs to Kubernetes 1.34.4. */
const libraryVersion = (version: string): string => version.replace(/^1\./, 'v0.');

/** What a program of go/ prints as JSON, run in a module of its own with these requirements. */
function goRun(program: string, requirements: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-record-'));
  try {
    copyFileSync(new URL(`go/${program}`, import.meta.url), join(folder, 'main.go'));
    writeFileSync(join(folder, 'go.mod'), `module record\n\ngo 1.24.0\n\n${requirements}`);
    const go = (...words: readonly string[]): string =>
      execFileSync('go', words, {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 2 ** 24,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    go('mod', 'tidy');
    return JSON.parse(go('run', '.'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The definitions of the built-in kinds, without their words, out of Kubernetes' OpenAPI documents: those of version 2,
 * and of version 3 what Go's types have where nothing was sent. What an API server of an older recording served beside
 * Kubernetes' own, such as the metrics API, is taken over from `before`.
 */
export function definitionsOf(
  sources: string,
  before: Schemas,
): { readonly kinds: Json; readonly definitions: Schemas } {
  const documents = join(sources, 'api/openapi-spec');
  const second = (read(join(documents, 'swagger.json')) as { readonly definitions: Schemas }).definitions;
  const third = Object.assign({}, ...schemasOf(join(documents, 'v3'))) as Schemas;
  const names = Object.keys(second).filter(
    (name) => name.startsWith('io.k8s.') && !/\.v\d+(alpha|beta)\d+\./.test(name),
  );
  const built = names.map((name) => [name, withZeros(compact(second[name]) as Schema, third[name])] as const);
  const kinds = names.flatMap((name) => {
    const [only, ...others] = second[name]?.['x-kubernetes-group-version-kind'] ?? [];
    if (only === undefined || others.length > 0) return [];
    return [[`${[only.group, only.version].filter(Boolean).join('/')} ${only.kind}`, name] as const];
  });
  const beside = Object.entries(before).filter(([name]) => !(name in second) && !name.startsWith('io.k8s.api.'));
  const metrics = beside.filter(([name]) => /\.(Node|Pod)Metrics(List)?$/.test(name));
  const metricsKinds = metrics.map(
    ([name]) => [`metrics.k8s.io/${name.split('.').slice(-2).join(' ')}`, name] as const,
  );
  return { kinds: byName([...kinds, ...metricsKinds]), definitions: byName([...built, ...beside]) };
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

const schemasOf = (folder: string): readonly Schemas[] =>
  readdirSync(folder).map(
    (name) => (read(join(folder, name)) as { components?: { schemas?: Schemas } }).components?.schemas ?? {},
  );

const byName = <Value>(entries: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

const words = new Set(['description', 'title', 'externalDocs', 'x-kubernetes-group-version-kind']);
const asIs = new Set(['default', 'enum', 'required', 'x-kubernetes-validations']);

/** A schema without its words; a reference is the bare name of a definition. */
export function compact(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(compact);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !words.has(key))
      .map(([key, value]) => [key, compactMember(key, value)]),
  );
}

function compactMember(key: string, value: unknown): unknown {
  if (key === '$ref') return String(value).split('/').at(-1);
  if (key === 'properties')
    return Object.fromEntries(Object.entries(value as Json).map(([name, one]) => [name, compact(one)]));
  return asIs.has(key) ? value : compact(value);
}

/** Marks the members that Go always writes with their zero value, and gives the others the defaults of version 3. */
function withZeros(schema: Schema, third: Schema | undefined): Schema {
  if (schema.properties === undefined || third?.properties === undefined) return schema;
  const members = Object.entries(schema.properties).map(([name, member]) => {
    const value = third.properties?.[name]?.default;
    if (value === undefined)
      return [name, member.type === 'array' && schema.required?.includes(name) ? { ...member, zero: [] } : member];
    return [name, { ...member, [isZero(value) ? 'zero' : 'default']: value }];
  });
  return { ...schema, properties: Object.fromEntries(members) };
}

function isZero(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}
