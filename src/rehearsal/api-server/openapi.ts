import type { Json } from '../objects/json.ts';
import { gitVersion } from './discovery.ts';
import type { Served } from './served.ts';

/**
 * The part of the OpenAPI documents that `kubectl apply` reads: that writes take the parameter `fieldValidation`, so that kubectl
 * leaves validation to the server (kubectl, QueryParamVerifierV3).
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
