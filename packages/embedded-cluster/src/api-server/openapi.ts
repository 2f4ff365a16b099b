import type { Json } from '../objects/json.ts';
import { gitVersion } from './discovery.ts';
import type { Served } from './served.ts';

/** How kubectl asks for version 2 (client-go, discovery, openAPIV2mimePb). */
const asked = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
/** How the server answers: Go's mime takes no `@` (kube-openapi, pkg/handler). */
const told = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/**
 * The document of version 2, as JSON or in the encoding of gnostic's `openapiv2.Document`. It describes no type:
 * kubectl, which asks it about a `kind: List` alone, then leaves the validation of each item to the server.
 */
export function openapiV2(accept = ''): { readonly type: string; readonly text: string } {
  const info = { title: 'Kubernetes', version: gitVersion };
  if (![asked, told].some((type) => accept.includes(type)))
    return { type: 'application/json', text: JSON.stringify({ swagger: '2.0', info, paths: {}, definitions: {} }) };
  const named = field(1, info.title) + field(2, info.version);
  return { type: told, text: field(1, '2.0') + field(2, named) + field(8, '') + field(9, '') };
}

/** A field of protobuf with a length; each is short and of ASCII alone. */
function field(number: number, text: string): string {
  return String.fromCharCode(number * 8 + 2, text.length) + text;
}

/**
 * The part of the OpenAPI documents that `kubectl apply` reads: that writes take the parameter `fieldValidation`, so
 * that kubectl leaves validation to the server (kubectl, QueryParamVerifierV3).
 */
export function openapi(path: string, all: readonly Served[]): Json | undefined {
  if (path === '/openapi/v3') return index(all);
  const root = /^\/openapi\/v3\/(api\/v1|apis\/[^/]+\/[^/]+)$/.exec(path)?.[1];
  const kinds = all.filter((kind) => rootOf(kind) === root);
  if (kinds.length === 0) return undefined;
  const paths = Object.fromEntries(kinds.flatMap(pathsOf));
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version: gitVersion }, paths, components: { schemas: {} } };
}

function index(all: readonly Served[]): Json {
  const roots = [...new Set(all.map(rootOf))];
  return { paths: Object.fromEntries(roots.map((root) => [root, { serverRelativeURL: `/openapi/v3/${root}` }])) };
}

function rootOf({ apiVersion, group }: Served): string {
  return group === '' ? `api/${apiVersion}` : `apis/${apiVersion}`;
}

function pathsOf(kind: Served): readonly (readonly [string, Json])[] {
  const collection = `/${rootOf(kind)}${kind.namespaced ? '/namespaces/{namespace}' : ''}/${kind.plural}`;
  return [
    [collection, { post: operation(kind, 'post') }],
    [`${collection}/{name}`, { put: operation(kind, 'put'), patch: operation(kind, 'patch') }],
  ];
}

function operation({ group, version, kind }: Served, action: string): Json {
  const parameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  }));
  return {
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
    parameters,
    responses: { '200': { description: 'OK' } },
  };
}
