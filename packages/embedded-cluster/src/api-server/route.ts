import type { ServedKinds } from './custom-kinds.ts';
import type { Served } from './served.ts';

/** The resource that a path of the API names. */
export interface Route {
  readonly served: Served;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  /** Whether the kind, a custom resource, has no such subresource. */
  readonly missing?: true;
  /** Whether the path itself asks for a watch, as in `/api/v1/watch/pods`. */
  readonly watch?: true;
}

/**
 * For example `/api/v1/namespaces/default/pods/a/eviction` or `/apis/apps/v1/deployments`; undefined if nothing is
 * served there.
 */
export function route(path: string, kinds: Pick<ServedKinds, 'at'>): Route | undefined {
  // A slash at the end names nothing more, but what is behind a proxy.
  const whole = path.endsWith('/') ? path.replace(/(?<=^\/apis?\/.+\/.+)(?<!\/proxy)\/$/, '') : path;
  const [, root, ...parts] = whole.split('/').map(decodeURIComponent);
  if (root === 'api') return within(kinds, parts.slice(0, 1).join('/'), parts.slice(1));
  return root === 'apis' ? within(kinds, parts.slice(0, 2).join('/'), parts.slice(2)) : undefined;
}

function within(kinds: Pick<ServedKinds, 'at'>, apiVersion: string, parts: readonly string[]): Route | undefined {
  if (parts[0] === 'watch') {
    const watched = within(kinds, apiVersion, parts.slice(1));
    return watched?.subresource === undefined ? watched && { ...watched, watch: true } : undefined;
  }
  const [first = '', namespace, plural = ''] = parts;
  const inside = first === 'namespaces' ? kinds.at(apiVersion, plural) : undefined;
  if (inside?.namespaced) return place(inside, parts.slice(3), namespace);
  const served = kinds.at(apiVersion, first);
  return served && place(served, parts.slice(1), undefined);
}

function place(served: Served, rest: readonly string[], namespace: string | undefined): Route | undefined {
  const [name, subresource, more] = rest;
  if (more !== undefined || (name !== undefined && served.namespaced && namespace === undefined)) return undefined;
  const known = served.subresources.find((one) => one === subresource);
  const isMissing = subresource !== undefined && known === undefined;
  if (isMissing && !served.custom) return undefined;
  return {
    ...(isMissing && { missing: true }),
    served,
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
    ...(known !== undefined && { subresource: known }),
  };
}
