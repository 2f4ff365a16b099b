import { kindPlaces } from '../kubernetes/kinds.ts';
import type { Metadata } from '../kubernetes/metadata.ts';
import { frozen, type Json } from './json.ts';

/** One frozen version of an object. Versions share the parts that did not change. */
export interface StoredObject extends Json {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: StoredMetadata;
  readonly spec?: Json;
  readonly status?: Json;
}
export type StoredMetadata = Metadata & Json;

/** A change of one object, with the version before it. */
export interface StoredChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
  readonly before: StoredObject | undefined;
  readonly revision: number;
}

/**
 * The name of the collection that stores objects of that kind: the kind itself for those that the controllers use, and
 * `Kind.group` for all others, because two groups may have kinds of one name.
 */
export function collectionOf({ apiVersion, kind }: Pick<StoredObject, 'apiVersion' | 'kind'>): string {
  const place = (kindPlaces as Readonly<Record<string, { readonly apiVersion: string } | undefined>>)[kind];
  if (place?.apiVersion === apiVersion) return kind;
  return `${kind}.${apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')))}`;
}

/**
 * The storage of the API server: every object, one resource version counter, and the most recent changes. `collection`
 * is a name as `collectionOf` makes them.
 */
export interface Objects {
  /** The resource version of the newest change. */
  revision(): number;
  get(collection: string, namespace: string | undefined, name: string): StoredObject | undefined;
  /** Sorted by namespace and name. */
  list(collection: string, namespace?: string): readonly StoredObject[];
  /** The pods with that `spec.nodeName`, sorted by namespace and name. */
  podsOn(node: string): readonly StoredObject[];
  /** Stores the next version of an object and returns it with its resource version. */
  put(object: StoredObject): StoredObject;
  /** Removes the object; returns its last version with the resource version of the deletion. */
  remove(object: StoredObject): StoredObject;
  /** The changes after that revision; `undefined` when some of them are no longer kept. */
  since(collection: string, revision: number): readonly StoredChange[] | undefined;
  /** Calls the listener with every change until the returned function is called. */
  follow(collection: string, listener: (change: StoredChange) => void): () => void;
  save(): SavedObjects;
  load(saved: SavedObjects): void;
}
export interface SavedObjects {
  readonly revision: number;
  readonly objects: readonly StoredObject[];
}

/**
 * Changes kept of each kind for watches that resume. The real watch cache starts at 100 and grows (apiserver,
 * cacher.go).
 */
export const changesKept = 1000;

interface Collection {
  readonly byKey: Map<string, StoredObject>;
  readonly byNamespace: Map<string, Set<string>>;
  readonly byNode: Map<string, Set<string>>;
  readonly listeners: Set<(change: StoredChange) => void>;
  changes: StoredChange[];
  /** Changes up to this revision are no longer kept. */
  droppedTo: number;
  sortedKeys: readonly string[] | undefined;
}

export function createObjects(): Objects {
  const collections = new Map<string, Collection>();
  let revision = 0;
  const of = (name: string) => {
    const collection = collections.get(name) ?? emptyCollection();
    collections.set(name, collection);
    return collection;
  };
  const next = (object: StoredObject) => {
    revision += 1;
    return frozen({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });
  };
  return {
    revision: () => revision,
    get: (collection, namespace, name) => of(collection).byKey.get(`${namespace ?? ''}/${name}`),
    list: (name, namespace) =>
      namespace === undefined ? sorted(of(name)) : sortedGroup(of(name).byNamespace, namespace, of(name)),
    podsOn: (node) => sortedGroup(of('Pod').byNode, node, of('Pod')),
    put: (object) => store(of(collectionOf(object)), next(object), revision),
    remove: (object) => drop(of(collectionOf(object)), next(object), revision),
    since: (name, from) => changesAfter(of(name), from),
    follow: (name, listener) => {
      of(name).listeners.add(listener);
      return () => of(name).listeners.delete(listener);
    },
    save: () => ({ revision, objects: [...collections.values()].flatMap((collection) => sorted(collection)) }),
    load: (saved) => {
      collections.clear();
      revision = saved.revision;
      for (const object of saved.objects) index(of(collectionOf(object)), frozen(object), undefined);
      for (const collection of collections.values()) collection.droppedTo = revision;
    },
  };
}

function emptyCollection(): Collection {
  return {
    byKey: new Map(),
    byNamespace: new Map(),
    byNode: new Map(),
    listeners: new Set(),
    changes: [],
    droppedTo: 0,
    sortedKeys: undefined,
  };
}

function store(collection: Collection, object: StoredObject, revision: number): StoredObject {
  const before = collection.byKey.get(keyOf(object));
  index(collection, object, before);
  announce(collection, { type: before === undefined ? 'ADDED' : 'MODIFIED', object, before, revision });
  return object;
}

function drop(collection: Collection, object: StoredObject, revision: number): StoredObject {
  const key = keyOf(object);
  const before = collection.byKey.get(key);
  collection.byKey.delete(key);
  collection.sortedKeys = undefined;
  collection.byNamespace.get(object.metadata.namespace ?? '')?.delete(key);
  if (before !== undefined) leaveNode(collection, before);
  announce(collection, { type: 'DELETED', object, before, revision });
  return object;
}

function index(collection: Collection, object: StoredObject, before: StoredObject | undefined): void {
  const key = keyOf(object);
  collection.byKey.set(key, object);
  if (before === undefined) {
    collection.sortedKeys = undefined;
    join(collection.byNamespace, object.metadata.namespace ?? '', key);
  }
  if (object.kind !== 'Pod' || nodeOf(object) === nodeOf(before)) return;
  if (before !== undefined) leaveNode(collection, before);
  join(collection.byNode, nodeOf(object), key);
}

function announce(collection: Collection, change: StoredChange): void {
  collection.changes.push(change);
  if (collection.changes.length > 2 * changesKept) {
    collection.droppedTo = collection.changes[changesKept - 1]?.revision ?? 0;
    collection.changes = collection.changes.slice(changesKept);
  }
  for (const listener of collection.listeners) listener(change);
}

function changesAfter(collection: Collection, revision: number): readonly StoredChange[] | undefined {
  if (revision < collection.droppedTo) return undefined;
  const from = collection.changes.findLastIndex((change) => change.revision <= revision);
  return collection.changes.slice(from + 1);
}

function keyOf(object: StoredObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
function nodeOf(object: StoredObject | undefined): string {
  return typeof object?.spec?.nodeName === 'string' ? object.spec.nodeName : '';
}
function join(groups: Map<string, Set<string>>, group: string, key: string): void {
  const members = groups.get(group) ?? new Set();
  groups.set(group, members);
  members.add(key);
}
function leaveNode(collection: Collection, object: StoredObject): void {
  const members = collection.byNode.get(nodeOf(object));
  members?.delete(keyOf(object));
  if (members?.size === 0) collection.byNode.delete(nodeOf(object));
}

function sorted(collection: Collection): readonly StoredObject[] {
  collection.sortedKeys ??= [...collection.byKey.keys()].sort();
  return collection.sortedKeys.map((key) => collection.byKey.get(key) as StoredObject);
}
function sortedGroup(groups: Map<string, Set<string>>, group: string, collection: Collection): readonly StoredObject[] {
  const keys = [...(groups.get(group) ?? [])].sort();
  return keys.map((key) => collection.byKey.get(key) as StoredObject);
}
