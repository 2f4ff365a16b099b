import type { Change, Cluster } from '../kubernetes/cluster.ts';
import type { Kind, Kinds, Resource } from '../kubernetes/kinds.ts';
import type { Node, Pod } from '../kubernetes/resources.ts';

/**
 * The informer cache that all controllers share: the objects as the watches delivered them, indexed by namespace, node
 * and owner.
 */
export interface Cache {
  get<K extends Kind>(kind: K, key: string): Kinds[K] | undefined;
  list<K extends Kind>(kind: K): Iterable<Kinds[K]>;
  inNamespace<K extends Kind>(kind: K, namespace: string | undefined): Iterable<Kinds[K]>;
  /** The pods bound to that node; for the empty name the pods that are bound to none. */
  podsOn(nodeName: string): Iterable<Pod>;
  /** The nodes that pods are bound to, whether the Node exists or not. */
  namesOfNodesWithPods(): Iterable<string>;
  /**
   * `derive(node, pods)`, computed again only after the node or one of its pods has changed; undefined without a Node.
   */
  ofNode<T>(nodeName: string, derive: (node: Node, pods: Iterable<Pod>) => T): T | undefined;
  /** The objects with that uid among their owners; for the empty uid the pods and ReplicaSets without an owner. */
  ownedBy(uid: string | undefined): Iterable<Resource>;
  /** Calls the listener with an `added` for every object in the cache, and then with every change. */
  subscribe<K extends Kind>(kind: K, listener: (change: CacheChange<K>) => void): void;
}
export interface CacheChange<K extends Kind> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: Kinds[K];
  readonly previous?: Kinds[K];
}

/** `namespace/name`, or the name alone for kinds without namespaces. */
export function keyOf({ metadata }: Resource): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}

/** The namespace and the name of a key, as the verbs of the API take them. */
export function placeOf(key: string): { readonly name: string; readonly namespace?: string } {
  const slash = key.indexOf('/');
  return slash === -1 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

type ObjectsByKey = Map<string, Resource>;
type Index = Map<string, ObjectsByKey>;
interface Store {
  readonly byKind: Map<Kind, ObjectsByKey>;
  readonly byNamespace: Index;
  readonly byNode: Index;
  readonly byOwner: Index;
  readonly derived: Map<string, Map<unknown, unknown>>;
  readonly listeners: Map<Kind, ((change: CacheChange<Kind>) => void)[]>;
}

/** Watches these kinds until the signal is aborted. Fulfilled when every object that exists is in the cache. */
export async function createCache(
  cluster: Cluster,
  kinds: readonly Kind[],
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<Cache> {
  const store: Store = {
    byKind: new Map(kinds.map((kind) => [kind, new Map()])),
    byNamespace: new Map(),
    byNode: new Map(),
    byOwner: new Map(),
    derived: new Map(),
    listeners: new Map(),
  };
  await Promise.all(kinds.map((kind) => follow(store, cluster, kind, signal, failed)));
  return view(store);
}

function view(store: Store): Cache {
  const all = (kind: Kind): ObjectsByKey => store.byKind.get(kind) ?? new Map();
  return {
    get: <K extends Kind>(kind: K, key: string) => all(kind).get(key) as Kinds[K] | undefined,
    list: <K extends Kind>(kind: K) => all(kind).values() as Iterable<Kinds[K]>,
    inNamespace: <K extends Kind>(kind: K, namespace: string | undefined) =>
      (store.byNamespace.get(`${kind} ${namespace ?? ''}`)?.values() ?? []) as Iterable<Kinds[K]>,
    podsOn: (nodeName) => (store.byNode.get(nodeName)?.values() ?? []) as Iterable<Pod>,
    namesOfNodesWithPods: () => [...store.byNode.keys()].filter((name) => name !== ''),
    ofNode: (nodeName, derive) => derived(store, nodeName, derive),
    ownedBy: (uid) => (uid === undefined ? [] : (store.byOwner.get(uid)?.values() ?? [])),
    subscribe: (kind, listener) => {
      const listeners = store.listeners.get(kind) ?? [];
      store.listeners.set(kind, listeners);
      listeners.push(listener as (change: CacheChange<Kind>) => void);
      for (const object of all(kind).values()) listener({ type: 'added', object: object as never });
    },
  };
}

function derived<T>(store: Store, nodeName: string, derive: (node: Node, pods: Iterable<Pod>) => T): T | undefined {
  const node = store.byKind.get('Node')?.get(nodeName) as Node | undefined;
  if (node === undefined) return undefined;
  const cached = store.derived.get(nodeName);
  if (cached?.has(derive)) return cached.get(derive) as T;
  const value = derive(node, (store.byNode.get(nodeName)?.values() ?? []) as Iterable<Pod>);
  store.derived.set(nodeName, (cached ?? new Map<unknown, unknown>()).set(derive, value));
  return value;
}

function forgetDerived(store: Store, object: Resource): void {
  if (object.kind === 'Node') store.derived.delete(object.metadata.name);
  if (object.kind === 'Pod') store.derived.delete(object.spec.nodeName ?? '');
}

/** Fulfilled when the watch has delivered what exists (`synced`); the watch goes on in the background. */
function follow(
  store: Store,
  cluster: Cluster,
  kind: Kind,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  return new Promise((synced) => {
    const read = async () => {
      for await (const change of cluster.watch(kind, {}, signal)) {
        if (change.type === 'synced') synced();
        else applyChange(store, change);
      }
    };
    read().catch(failed);
  });
}

function applyChange(store: Store, change: Exclude<Change, { type: 'synced' }>): void {
  const objects = store.byKind.get(change.kind) as ObjectsByKey;
  const key = keyOf(change.object);
  const previous = objects.get(key);
  const current = change.type === 'deleted' ? undefined : change.object;
  if (current === undefined) objects.delete(key);
  else objects.set(key, current);
  reindex(store, `${change.kind} ${key}`, previous, current);
  forgetDerived(store, change.object);
  const cacheChange = { type: change.type, object: change.object, ...(previous === undefined ? {} : { previous }) };
  for (const listener of store.listeners.get(change.kind) ?? []) listener(cacheChange);
}

/** An entry that stays in an index keeps its place there, so that iteration follows the order of arrival. */
function reindex(store: Store, key: string, previous: Resource | undefined, current: Resource | undefined): void {
  const entries = current === undefined ? [] : indexEntriesOf(store, current);
  const old = previous === undefined || hasSameEntries(previous, current) ? [] : indexEntriesOf(store, previous);
  for (const [index, value] of old) {
    if (entries.some((entry) => entry[0] === index && entry[1] === value)) continue;
    const objects = index.get(value);
    objects?.delete(key);
    if (objects?.size === 0) index.delete(value);
  }
  for (const [index, value] of entries) {
    const objects = index.get(value) ?? new Map();
    index.set(value, objects);
    objects.set(key, current);
  }
}

/**
 * Whether two versions of one object have the same index entries. Compares owner references by identity: versions share
 * them.
 */
function hasSameEntries(previous: Resource, current: Resource | undefined): boolean {
  if (current === undefined || previous.metadata.ownerReferences !== current.metadata.ownerReferences) return false;
  return previous.kind !== 'Pod' || current.kind !== 'Pod' || previous.spec.nodeName === current.spec.nodeName;
}

/** Each index that has the object, with the value that the object has there. */
function indexEntriesOf(store: Store, object: Resource): readonly (readonly [Index, string])[] {
  const { kind, metadata } = object;
  const entries: (readonly [Index, string])[] = [[store.byNamespace, `${kind} ${metadata.namespace ?? ''}`]];
  if (kind === 'Pod') entries.push([store.byNode, object.spec.nodeName ?? '']);
  const owners = metadata.ownerReferences ?? [];
  if (owners.length === 0 && (kind === 'Pod' || kind === 'ReplicaSet')) entries.push([store.byOwner, '']);
  for (const owner of owners) entries.push([store.byOwner, owner.uid]);
  return entries;
}
