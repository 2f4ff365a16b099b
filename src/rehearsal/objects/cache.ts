import type { Change, Cluster } from '../../cluster/cluster.ts';
import type { Kind, Kinds, Resource } from '../../cluster/kinds.ts';
import type { Node, Pod } from '../../cluster/resources.ts';

/** What the watches have said so far: one informer for all controllers, with indexes by namespace, node and owner. */
export interface Cache {
  get<K extends Kind>(kind: K, key: string): Kinds[K] | undefined;
  list<K extends Kind>(kind: K): Iterable<Kinds[K]>;
  inNamespace<K extends Kind>(kind: K, namespace: string | undefined): Iterable<Kinds[K]>;
  /** The pods of a node; with the empty name those that have none yet. */
  podsOn(nodeName: string): Iterable<Pod>;
  /** The nodes that pods are bound to, whether they are there or not. */
  namesOfNodesWithPods(): Iterable<string>;
  /** What follows from a node and its pods, worked out once until one of them changes. */
  ofNode<T>(nodeName: string, derive: (node: Node, pods: Iterable<Pod>) => T): T | undefined;
  /** Whatever names that uid among its owners; with the empty uid the pods and ReplicaSets that have none. */
  ownedBy(uid: string | undefined): Iterable<Resource>;
  /** Calls the listener with every object that is there now, and from then on with every change. */
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

/** The two halves of a key, as the API's verbs take them. */
export function placeOf(key: string): { readonly name: string; readonly namespace?: string } {
  const slash = key.indexOf('/');
  return slash === -1 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

type Shelf = Map<string, Resource>;
type Index = Map<string, Shelf>;
interface Store {
  readonly byKind: Map<Kind, Shelf>;
  readonly byNamespace: Index;
  readonly byNode: Index;
  readonly byOwner: Index;
  readonly derived: Map<string, Map<unknown, unknown>>;
  readonly listeners: Map<Kind, ((change: CacheChange<Kind>) => void)[]>;
}

/** Watches these kinds until the signal is aborted; fulfilled when everything that exists is in the cache. */
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
  const shelf = (kind: Kind): Shelf => store.byKind.get(kind) ?? new Map();
  return {
    get: <K extends Kind>(kind: K, key: string) => shelf(kind).get(key) as Kinds[K] | undefined,
    list: <K extends Kind>(kind: K) => shelf(kind).values() as Iterable<Kinds[K]>,
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
      for (const object of shelf(kind).values()) listener({ type: 'added', object: object as never });
    },
  };
}

function derived<T>(store: Store, nodeName: string, derive: (node: Node, pods: Iterable<Pod>) => T): T | undefined {
  const node = store.byKind.get('Node')?.get(nodeName) as Node | undefined;
  if (node === undefined) return undefined;
  const known = store.derived.get(nodeName);
  if (known?.has(derive)) return known.get(derive) as T;
  const made = derive(node, (store.byNode.get(nodeName)?.values() ?? []) as Iterable<Pod>);
  store.derived.set(nodeName, (known ?? new Map<unknown, unknown>()).set(derive, made));
  return made;
}

function forgetDerived(store: Store, object: Resource): void {
  if (object.kind === 'Node') store.derived.delete(object.metadata.name);
  if (object.kind === 'Pod') store.derived.delete(object.spec.nodeName ?? '');
}

/** Fulfilled at the first `synced`; goes on in the background. */
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
        else note(store, change);
      }
    };
    read().catch(failed);
  });
}

function note(store: Store, change: Exclude<Change, { type: 'synced' }>): void {
  const shelf = store.byKind.get(change.kind) as Shelf;
  const key = keyOf(change.object);
  const previous = shelf.get(key);
  const current = change.type === 'deleted' ? undefined : change.object;
  if (current === undefined) shelf.delete(key);
  else shelf.set(key, current);
  reindex(store, `${change.kind} ${key}`, previous, current);
  forgetDerived(store, change.object);
  const told = { type: change.type, object: change.object, ...(previous === undefined ? {} : { previous }) };
  for (const listener of store.listeners.get(change.kind) ?? []) listener(told);
}

/** An object that stays where it was keeps its turn in the index, so that the order of iteration is the order of arrival. */
function reindex(store: Store, key: string, previous: Resource | undefined, current: Resource | undefined): void {
  const places = current === undefined ? [] : placesOf(store, current);
  const left = previous === undefined || isWhereItWas(previous, current) ? [] : placesOf(store, previous);
  for (const [by, at] of left) {
    if (places.some((place) => place[0] === by && place[1] === at)) continue;
    const shelf = by.get(at);
    shelf?.delete(key);
    if (shelf?.size === 0) by.delete(at);
  }
  for (const [by, at] of places) {
    const shelf = by.get(at) ?? new Map();
    by.set(at, shelf);
    shelf.set(key, current);
  }
}

/** Whether two versions of one object are in the same places. */
function isWhereItWas(previous: Resource, current: Resource | undefined): boolean {
  if (current === undefined || previous.metadata.ownerReferences !== current.metadata.ownerReferences) return false;
  return previous.kind !== 'Pod' || current.kind !== 'Pod' || previous.spec.nodeName === current.spec.nodeName;
}

function placesOf(store: Store, object: Resource): readonly (readonly [Index, string])[] {
  const { kind, metadata } = object;
  const places: (readonly [Index, string])[] = [[store.byNamespace, `${kind} ${metadata.namespace ?? ''}`]];
  if (kind === 'Pod') places.push([store.byNode, object.spec.nodeName ?? '']);
  const owners = metadata.ownerReferences ?? [];
  if (owners.length === 0 && (kind === 'Pod' || kind === 'ReplicaSet')) places.push([store.byOwner, '']);
  for (const owner of owners) places.push([store.byOwner, owner.uid]);
  return places;
}
