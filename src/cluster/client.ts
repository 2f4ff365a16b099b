import type * as z from 'zod';
import { OperationError } from '../host/errors.ts';
import type { Host } from '../host/host.ts';
import {
  ApiError,
  type ApplyOptions,
  type Cluster,
  type DeleteOptions,
  type Eviction,
  evictionRefused,
  type NamespacedName,
  type Patch,
  type PatchOptions,
  type PodIdentity,
} from './cluster.ts';
import { type Kind, type Kinds, kindPlaces, type ObjectPlace, type Resource } from './kinds.ts';
import { listAll } from './list.ts';
import type { AnyObject, Objects, TypeMeta } from './objects.ts';
import { collectionPath, objectName, objectPath, versionPath } from './paths.ts';
import { followPodLog } from './pod-log.ts';
import { type Access, ask, askText, type Connection, type Question, send } from './requests.ts';
import { objectShape } from './shapes.ts';
import { resourceListShape } from './status-shape.ts';
import { watchAll } from './watch.ts';

/** A cluster that is reached by `host.http`. */
export interface ClusterClient extends Cluster {
  /** Where the API server has the objects of a kind, by discovery; undefined if it serves none of that version. */
  discover(type: TypeMeta): Promise<ObjectPlace | undefined>;
  objectsOf(place: ObjectPlace): Objects;
  /** The log of the pod's container, its last lines of so many bytes at most; undefined if there is no such pod. */
  log(pod: NamespacedName, container: string, limitBytes: number): Promise<string | undefined>;
  clockOffset(): Promise<ClockOffset>;
  /** Each line of a pod's log as it is written, until the signal is aborted. An `ApiError` once the pod is gone. */
  podLog(pod: NamespacedName, signal: AbortSignal): AsyncIterable<string>;
}
/** How far the server's clock is ahead of ours, by the `Date` header of a response. */
export interface ClockOffset {
  readonly offsetSeconds: number;
  readonly uncertaintySeconds: number;
}

/**
 * A `Cluster` by requests to its API server. Idempotent requests (reads, server-side apply, the deletion of one uid)
 * are retried while the server is busy or does not answer. A refusal is an `ApiError`, no answer an `OperationError`.
 */
export function connect(host: Pick<Host, 'http' | 'clock'>, access: Access): ClusterClient {
  const connection: Connection = { host, access };
  return {
    get: async (kind, at) => (await get(connection, placeOf(kind), at)) as Kinds[typeof kind] | undefined,
    list: async (kind, where = {}) => (await listAll(connection, kind, where)).items,
    create: (resource) => create(connection, resource),
    apply: (resource, options) => apply(connection, placeOf(resource.kind as Kind), resource, options),
    patch: (kind, at, change, options = {}) => patch(connection, kind, at, change, options),
    delete: (kind, at, options = {}) => remove(connection, placeOf(kind), at, options),
    evict: (pod, { dryRun = false } = {}) => evict(connection, pod, dryRun),
    watch: (kind, where, signal, lost) => watchAll(connection, kind, where, signal, lost),
    discover: (type) => discover(connection, type),
    objectsOf: (place) => ({
      get: (at) => get(connection, place, at),
      apply: (object, options) => apply(connection, place, object, options),
      delete: (at, options = {}) => remove(connection, place, at, options),
    }),
    log: (pod, container, limitBytes) => log(connection, pod, container, limitBytes),
    clockOffset: () => clockOffset(connection),
    podLog: (pod, signal) => followPodLog(connection, pod, signal),
  };
}

const placeOf = (kind: Kind): ObjectPlace => ({ kind, ...kindPlaces[kind] });

async function get(connection: Connection, place: ObjectPlace, at: NamespacedName): Promise<AnyObject | undefined> {
  const question = { tried: 'get', on: objectName(place.kind, at), path: objectPath(place, at) };
  return (await found(connection, { ...question, shape: objectShape(place.kind) })) as AnyObject | undefined;
}

/** What a GET answers; undefined for a 404. */
async function found(
  connection: Connection,
  question: Pick<Question, 'tried' | 'on' | 'path' | 'shape'>,
): Promise<unknown> {
  try {
    return await ask(connection, { ...question, method: 'GET', safe: true });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

async function discover(connection: Connection, { apiVersion, kind }: TypeMeta): Promise<ObjectPlace | undefined> {
  const question = { tried: 'discover', on: apiVersion, path: versionPath(apiVersion), shape: resourceListShape };
  const { resources } = ((await found(connection, question)) ?? {}) as z.output<typeof resourceListShape>;
  // A subresource has a slash in its name.
  const resource = resources?.find((one) => one.kind === kind && !one.name.includes('/'));
  return resource && { apiVersion, kind, plural: resource.name, namespaced: resource.namespaced };
}

async function create<R extends Resource>(connection: Connection, resource: R): Promise<R> {
  const { kind, metadata } = resource;
  const object = await ask(connection, {
    tried: 'create',
    on: objectName(kind, metadata),
    method: 'POST',
    path: collectionPath(kind, metadata.namespace),
    body: resource,
    safe: kind === 'SelfSubjectAccessReview',
    shape: objectShape(kind),
  });
  return object as R;
}

async function apply<O extends AnyObject>(
  connection: Connection,
  place: ObjectPlace,
  object: O,
  { fieldManager, force = false, dryRun = false }: ApplyOptions,
): Promise<O> {
  const applied = await ask(connection, {
    tried: 'apply',
    on: objectName(place.kind, object.metadata),
    method: 'PATCH',
    path: objectPath(place, object.metadata),
    query: { fieldManager, force: String(force), dryRun: dryRun ? 'All' : undefined },
    body: object,
    contentType: 'application/apply-patch+yaml',
    safe: true,
    shape: objectShape(place.kind),
  });
  return applied as O;
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

async function patch<K extends Kind>(
  connection: Connection,
  kind: K,
  at: NamespacedName,
  { type, value }: Patch,
  { subresource, dryRun = false }: PatchOptions,
): Promise<Kinds[K]> {
  const object = await ask(connection, {
    tried: 'patch',
    on: objectName(kind, at),
    method: 'PATCH',
    path: objectPath(kind, at, subresource),
    query: { dryRun: dryRun ? 'All' : undefined },
    body: value,
    contentType: patchTypes[type],
    safe: dryRun,
    shape: objectShape(subresource === 'scale' ? 'Scale' : kind),
  });
  return object as Kinds[K];
}

async function remove(
  connection: Connection,
  place: ObjectPlace,
  at: NamespacedName,
  { uid, resourceVersion, gracePeriodSeconds, propagationPolicy = 'Background', dryRun = false }: DeleteOptions,
): Promise<'deleted' | 'gone'> {
  const body = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    propagationPolicy,
    preconditions: { uid, resourceVersion },
    gracePeriodSeconds,
    ...(dryRun && { dryRun: ['All'] }),
  };
  try {
    await ask(connection, {
      tried: 'delete',
      on: objectName(place.kind, at),
      method: 'DELETE',
      path: objectPath(place, at),
      body,
      safe: dryRun || uid !== undefined,
    });
    return 'deleted';
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 'gone';
    throw error;
  }
}

async function evict(
  connection: Connection,
  { namespace, name, uid }: PodIdentity,
  dryRun: boolean,
): Promise<Eviction> {
  const deleteOptions = { preconditions: { uid }, ...(dryRun && { dryRun: ['All'] }) };
  try {
    await ask(connection, {
      tried: 'evict',
      on: objectName('Pod', { namespace, name }),
      method: 'POST',
      path: objectPath('Pod', { namespace, name }, 'eviction'),
      query: { dryRun: dryRun ? 'All' : undefined },
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions },
    });
    return { outcome: 'evicted' };
  } catch (error) {
    return evictionRefused(error);
  }
}

/** The log of a container that has ended is complete, and the request ends with it. */
async function log(
  connection: Connection,
  pod: NamespacedName,
  container: string,
  limitBytes: number,
): Promise<string | undefined> {
  const query = { container, tailLines: String(lastLines), limitBytes: String(limitBytes) };
  const question = { tried: 'read the log of', on: objectName('Pod', pod), method: 'GET', query, safe: true } as const;
  try {
    return await askText(connection, { ...question, path: objectPath('Pod', pod, 'log') });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
const lastLines = 20;

/** The `Date` header has whole seconds, so the response was made 0 to 1 s after it: half a second on average. */
const halfSecond = 0.5;

async function clockOffset(connection: Connection): Promise<ClockOffset> {
  const { clock } = connection.host;
  const failure = { tried: 'read the clock of', on: connection.access.server };
  const [askedAt, asked] = [clock.wallAt(), clock.monotonicSeconds()];
  const response = await send(
    connection,
    { ...failure, method: 'GET', path: '/version' },
    new AbortController().signal,
  );
  response.discard();
  const roundTripSeconds = clock.monotonicSeconds() - asked;
  const date = Date.parse(response.headers.date ?? '');
  if (Number.isNaN(date)) throw new OperationError({ ...failure, reason: 'no Date header' });
  const oursAt = askedAt + (1000 * roundTripSeconds) / 2;
  return {
    offsetSeconds: (date - oursAt) / 1000 + halfSecond,
    uncertaintySeconds: roundTripSeconds / 2 + halfSecond,
  };
}
