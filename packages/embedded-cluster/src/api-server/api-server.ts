import type { Cluster } from '../kubernetes/cluster.ts';
import type { Resource } from '../kubernetes/kinds.ts';
import { createObjects, type SavedObjects } from '../objects/objects.ts';
import { timestamp } from '../objects/timestamps.ts';
import type { Clock } from '../outside/clock.ts';
import type { HttpRequest, HttpResponse } from '../outside/http.ts';
import type { RandomStreams } from '../outside/random.ts';
import type { Api, ResourceAttributes } from './api.ts';
import { clusterOf } from './cluster.ts';
import { createObject } from './create.ts';
import { servedKinds } from './custom-kinds.ts';
import { type Drawn, identities } from './identities.ts';
import { type InitialObject, initialNamespaceObjects, systemPriorityClasses } from './initial-objects.ts';
import { pages } from './pages.ts';
import { served } from './served.ts';
import { answer } from './wire.ts';
import { anonymous, type Wire } from './wire-request.ts';

/** The Kubernetes API: over HTTP for clients such as kubectl, in process for controllers. */
export interface ApiServer {
  /** Answers by the path and the query of the url, whatever its host. A watch ends when the signal is aborted. */
  handle(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>;
  /** The verbs in process, as that user. */
  cluster(user: string, fieldManager?: string): Cluster;
  save(): SavedApiServer;
  /** Replaces all state by the saved one. Open watches get no more events. */
  load(saved: SavedApiServer): void;
}
export interface ApiServerOptions {
  readonly clock: Pick<Clock, 'wallAt' | 'sleep'>;
  readonly random: RandomStreams;
  /**
   * Objects that are there before the first request. Their uids are drawn apart, so that those of a seed do not depend
   * on them.
   */
  readonly initial?: readonly Resource[];
  /** Authorization; without it everybody may do everything. */
  readonly allows?: (user: string, attributes: ResourceAttributes) => boolean;
  /** Answers an HTTP request instead of the server, so that tests can inject faults. */
  readonly intercept?: (request: HttpRequest) => Promise<HttpResponse | undefined>;
}
export interface SavedApiServer extends SavedObjects {
  readonly drawn: Drawn;
}

export function createApiServer(options: ApiServerOptions): ApiServer {
  const objects = createObjects();
  const api: Api = {
    objects,
    identities: identities(options.random),
    now: secondsOf(options.clock),
    allows: options.allows ?? ((user) => user !== anonymous),
  };
  const wire: Wire = {
    api,
    kinds: servedKinds(objects),
    pages: pages(),
    clock: options.clock,
    random: options.random('watch-timeout'),
  };
  for (const initial of initialNamespaceObjects) createInitial(api, initial);
  const apart: Api = { ...api, identities: identities((stream) => options.random(`initial ${stream}`)) };
  for (const object of options.initial ?? []) createInitial(apart, { served: served[object.kind], object });
  for (const initial of systemPriorityClasses) createInitial(apart, initial);
  return {
    handle: async (request, signal) => (await options.intercept?.(request)) ?? answer(wire, request, signal),
    cluster: (user, fieldManager = user) => clusterOf(api, user, fieldManager),
    save: () => ({ ...objects.save(), drawn: api.identities.drawn() }),
    load: (saved) => {
      objects.load(saved);
      api.identities.skipTo(saved.drawn);
    },
  };
}

function createInitial(
  api: Api,
  { served: place, object }: Pick<InitialObject, 'served'> & { readonly object: object },
): void {
  const request = {
    verb: 'create',
    served: place,
    user: 'kube-apiserver',
    fieldManager: 'kube-apiserver',
    dryRun: false,
  };
  createObject(api, request, object);
}

/** The time as an API timestamp; the text is made once a second. */
function secondsOf(clock: Pick<Clock, 'wallAt'>): () => string {
  let [second, text] = [Number.NaN, ''];
  return () => {
    const now = Math.floor(clock.wallAt() / 1000);
    if (now !== second) [second, text] = [now, timestamp(clock.wallAt())];
    return text;
  };
}
