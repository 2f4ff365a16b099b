import {
  ApiError,
  type Change,
  type Cluster,
  type Eviction,
  evictionRefused,
  type NamespacedName,
  type Selectors,
} from '../kubernetes/cluster.ts';
import type { Kind, Kinds } from '../kubernetes/kinds.ts';
import type { StoredObject } from '../objects/objects.ts';
import { type Api, type ApiRequest, authorize } from './api.ts';
import { feed } from './feed.ts';
import { listObjects, selection } from './read.ts';
import { served } from './served.ts';
import { verbs } from './verbs.ts';
import { type WatchEvent, watchEventOf } from './watch.ts';

/** The verbs in process: the same code as over HTTP, with frozen objects instead of text. */
export function clusterOf(api: Api, user: string, fieldManager: string): Cluster {
  const requestOf = requestsOf(user, fieldManager);
  return {
    get: async (kind, at) =>
      undefinedIfNotFound(() => verbs.get(api, requestOf('get', kind, at)) as unknown as Kinds[typeof kind]),
    list: async (kind, where = {}) => list(api, requestOf('list', kind, where), where),
    create: async (resource) => {
      const { name: _, ...at } = resource.metadata;
      return verbs.create(api, requestOf('create', resource.kind, at), resource) as unknown as typeof resource;
    },
    apply: async (resource, { fieldManager, force = false, dryRun = false }) => {
      const request = requestOf('patch', resource.kind, resource.metadata, { fieldManager, dryRun });
      return verbs.apply(api, request, resource, force) as unknown as typeof resource;
    },
    patch: async (kind, at, patch, { subresource, dryRun = false } = {}) =>
      verbs.patch(api, requestOf('patch', kind, at, { subresource, dryRun }), patch) as unknown as Kinds[typeof kind],
    delete: async (kind, at, { uid, resourceVersion, gracePeriodSeconds, propagationPolicy, dryRun = false } = {}) => {
      const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
      const deletion = { gracePeriodSeconds, propagationPolicy, preconditions };
      const deleted = undefinedIfNotFound(() => verbs.delete(api, requestOf('delete', kind, at, { dryRun }), deletion));
      return deleted === undefined ? 'gone' : 'deleted';
    },
    evict: async ({ namespace, name, uid }, { dryRun = false } = {}) => {
      const request = requestOf('create', 'Pod', { namespace, name }, { subresource: 'eviction', dryRun });
      return evict(() => verbs.evict(api, request, { preconditions: { uid } }));
    },
    watch: (kind, where, signal) => watch(api, requestOf('watch', kind, where), kind, where, signal),
  };
}

type RequestOf = (verb: string, kind: Kind, at: Partial<NamespacedName>, more?: Partial<ApiRequest>) => ApiRequest;

function requestsOf(user: string, fieldManager: string): RequestOf {
  return (verb, kind, { name, namespace }, more = {}) => ({
    verb,
    served: served[kind],
    name,
    namespace: served[kind].namespaced ? namespace : undefined,
    user,
    fieldManager,
    dryRun: false,
    ...more,
  });
}

function undefinedIfNotFound<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function list<K extends Kind>(api: Api, request: ApiRequest, where: Selectors): readonly Kinds[K][] {
  authorize(api, request);
  return listObjects(api, request, selection(request, where)) as readonly unknown[] as readonly Kinds[K][];
}

function evict(work: () => void): Eviction {
  try {
    work();
    return { outcome: 'evicted' };
  } catch (error) {
    return evictionRefused(error);
  }
}

async function* watch<K extends Kind>(
  api: Api,
  request: ApiRequest,
  kind: K,
  where: Selectors,
  signal: AbortSignal,
): AsyncGenerator<Change<K>> {
  authorize(api, request);
  const selected = selection(request, where);
  const events = feed<WatchEvent>();
  const unfollow = api.objects.follow(kind, (change) => {
    const event = watchEventOf(selected.matches, change);
    if (event !== undefined) events.push(event);
  });
  signal.addEventListener('abort', events.end, { once: true });
  if (signal.aborted) events.end();
  const change = (type: string, object: StoredObject) => ({ type, kind, object }) as unknown as Change<K>;
  try {
    for (const object of listObjects(api, request, selected)) yield change('added', object);
    yield { type: 'synced', kind } as Change<K>;
    for await (const { type, object } of events.items) yield change(changeTypes[type], object);
  } finally {
    unfollow();
    signal.removeEventListener('abort', events.end);
  }
}

const changeTypes: Readonly<Record<WatchEvent['type'], Change['type']>> = {
  ADDED: 'added',
  MODIFIED: 'modified',
  DELETED: 'deleted',
};
