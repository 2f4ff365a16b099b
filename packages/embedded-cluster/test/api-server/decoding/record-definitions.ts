// node packages/embedded-cluster/test/api-server/decoding/record-definitions.ts OPENAPI-V2 DEFINITIONS OUT: what the
// embedded API server decodes bodies by, from `kubectl get --raw /openapi/v2` and `kubectl get
// customresourcedefinitions -o json` of a real cluster.
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

type Json = Readonly<Record<string, unknown>>;

const [openapi = '', custom = '', out = ''] = process.argv.slice(2);
const dropped = new Set(['description', 'title', 'externalDocs', 'x-kubernetes-group-version-kind']);
const asIs = new Set(['default', 'enum', 'required', 'x-kubernetes-validations']);

/** The schema without its words; a reference is the bare name of a definition. */
function compact(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(compact);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !dropped.has(key))
      .map(([key, value]) => [key, compactMember(key, value)]),
  );
}

function compactMember(key: string, value: unknown): unknown {
  if (key === '$ref') return String(value).split('/').at(-1);
  if (key === 'properties')
    return Object.fromEntries(Object.entries(value as Json).map(([name, one]) => [name, compact(one)]));
  return asIs.has(key) ? value : compact(value);
}

interface Definition extends Json {
  readonly 'x-kubernetes-group-version-kind'?: readonly Readonly<Record<'group' | 'version' | 'kind', string>>[];
}
interface CustomDefinition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Json } }[];
  };
}

const { definitions } = JSON.parse(readFileSync(openapi, 'utf8')) as {
  definitions: Readonly<Record<string, Definition>>;
};
const builtIn = Object.entries(definitions).filter(([name]) => name.startsWith('io.k8s.'));
const kinds = builtIn.flatMap(([name, definition]) => {
  const [only, ...others] = definition['x-kubernetes-group-version-kind'] ?? [];
  if (only === undefined || others.length > 0) return [];
  return [[`${[only.group, only.version].filter(Boolean).join('/')} ${only.kind}`, name]];
});
const { items } = JSON.parse(readFileSync(custom, 'utf8')) as { items: readonly CustomDefinition[] };
const resources = items.flatMap(({ spec }) =>
  spec.versions.map(({ name, schema }) => [
    `${spec.group}/${name} ${spec.names.kind}`,
    compact(schema.openAPIV3Schema),
  ]),
);
const recorded = {
  kinds: Object.fromEntries(kinds),
  definitions: Object.fromEntries(builtIn.map(([name, definition]) => [name, compact(definition)])),
  custom: Object.fromEntries(resources),
};
writeFileSync(out, gzipSync(JSON.stringify(recorded), { level: 9 }));
