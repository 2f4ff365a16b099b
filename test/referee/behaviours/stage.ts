import type { WatchEvent } from '../api.ts';
import type { Names, Observed } from './behaviour.ts';
import { type EndpointsAt, shortageOf } from './endpoints.ts';
import { type Kind, pathOf } from './paths.ts';
import type { Place } from './place.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of many kinds are read here.
type Json = any;

/** Where a behaviour is played: the deeds of a user, and what the watches have brought so far. */
export interface Stage extends Names {
  readonly place: Place;
  /** The objects of that kind that are there now: of the namespace, or of the cluster. */
  readonly seen: (kind: Kind) => readonly Json[];
  /** Pods of the application. */
  readonly pods: () => readonly Json[];
  readonly readyPods: () => readonly Json[];
  /** Nodes and claims of the pool of that name; the behaviour's own by default. */
  readonly nodes: (pool?: string) => readonly Json[];
  readonly claims: (pool?: string) => readonly Json[];
  readonly apply: (object: Json) => Promise<void>;
  readonly patch: (kind: Kind, name: string, merge: object) => Promise<void>;
  readonly remove: (kind: Kind, name: string, options?: object) => Promise<void>;
  /** The status code of the Eviction. */
  readonly evict: (pod: string) => Promise<number>;
  /** Ends the instance of that node, as EC2's API does. */
  readonly kill: (node: Json) => Promise<void>;
  /** Waits for it, and notes the seconds since the deed or the last step began; `not within N s` if it never came. */
  readonly until: (step: string, isSo: () => boolean, withinSeconds: number) => Promise<boolean>;
  /** Notes what was seen. */
  readonly note: (step: string, value: number | string) => void;
  readonly sleep: (seconds: number) => Promise<void>;
  /** Begins the measured part anew: what came before was preparation. */
  readonly begin: () => void;
  readonly observed: (wanted: number) => Observed;
  readonly close: () => void;
}

const watched: readonly Kind[] = [
  'Pod',
  'EndpointSlice',
  'Deployment',
  'PodDisruptionBudget',
  'Node',
  'NodeClaim',
  'NodePool',
  'Event',
  'Namespace',
  'ReplicaSet',
  'DaemonSet',
  'StatefulSet',
];
const clusterScoped = new Set<Kind>(['Node', 'NodeClaim', 'NodePool', 'Namespace']);
const pollSeconds = 0.1;

/** What the watches of one behaviour have brought. */
interface Recording {
  readonly seen: (kind: Kind) => readonly Json[];
  readonly endpoints: readonly EndpointsAt[];
  /** Events that began or were repeated since then about what the behaviour made. */
  readonly eventsSince: (at: number) => readonly Json[];
  readonly end: () => void;
}

async function record(place: Place, names: Names): Promise<Recording> {
  const objects = new Map<Kind, Map<string, Json>>(watched.map((kind) => [kind, new Map()]));
  const endpoints: EndpointsAt[] = [];
  const events: { readonly at: number; readonly object: Json }[] = [];
  const pooled = new Set<string>();
  const ended = new AbortController();
  const seen = (kind: Kind) => [...(objects.get(kind)?.values() ?? [])];
  const also: Partial<Record<Kind, (object: Json) => void>> = {
    EndpointSlice: () => endpoints.push({ at: place.seconds(), ready: readyEndpoints(seen('EndpointSlice')) }),
    Event: (object) => events.push({ at: place.seconds(), object }),
    Node: (object) => poolOf(object).startsWith(names.pool) && pooled.add(object.metadata.name),
    NodeClaim: (object) => poolOf(object).startsWith(names.pool) && pooled.add(object.metadata.name),
  };
  const happened = (kind: Kind, { type, object }: WatchEvent) => {
    if (type === 'BOOKMARK' || type === 'ERROR') return;
    if (type === 'DELETED') objects.get(kind)?.delete(object.metadata.uid);
    else objects.get(kind)?.set(object.metadata.uid, object);
    also[kind]?.(object);
  };
  await Promise.all(watched.map((kind) => follow(place, kind, { names, happened, signal: ended.signal })));
  return {
    seen,
    endpoints,
    eventsSince: (since) =>
      events.filter(({ at, object }) => at >= since && isMine(object, names, pooled)).map(({ object }) => object),
    end: () => ended.abort(),
  };
}

interface Following {
  readonly names: Names;
  readonly happened: (kind: Kind, event: WatchEvent) => void;
  readonly signal: AbortSignal;
}

/** Lists the kind, and then follows its changes without waiting for their end. Events of the past are left out. */
async function follow({ api }: Place, kind: Kind, { names, happened, signal }: Following): Promise<void> {
  const everywhere = clusterScoped.has(kind) || kind === 'Event';
  const path = pathOf(kind, everywhere ? undefined : names.namespace);
  const { status, body } = await api.ask('GET', path);
  if (status !== 200) throw new Error(`GET ${path}: ${status}`);
  for (const object of kind === 'Event' ? [] : body.items) happened(kind, { type: 'ADDED', object });
  const since = `resourceVersion=${body.metadata.resourceVersion}&timeoutSeconds=3000`;
  const watching = async () => {
    for await (const event of api.watch(`${path}?watch=1&${since}`, signal)) happened(kind, event);
  };
  watching().catch((error) => {
    if (!signal.aborted) throw error;
  });
}

export async function openStage(place: Place, names: Names): Promise<Stage> {
  const { seen, endpoints, eventsSince, end } = await record(place, names);
  let begunAt = place.seconds();
  let stepAt = begunAt;
  const steps: Record<string, number | string> = {};
  const ask = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object, contentType?: string) => {
    const answer = await place.api.ask(method, path, { body, ...(contentType === undefined ? {} : { contentType }) });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.body?.message}`);
  };
  const pods = () => seen('Pod').filter(({ metadata }) => metadata.labels?.app !== undefined);
  const inPool = (kind: Kind, pool: string) => seen(kind).filter((object) => poolOf(object) === pool);
  return {
    ...names,
    place,
    seen,
    pods,
    readyPods: () => pods().filter(isReadyPod),
    nodes: (pool = names.pool) => inPool('Node', pool),
    claims: (pool = names.pool) => inPool('NodeClaim', pool),
    apply: (object) => ask('POST', pathOf(object.kind, object.metadata.namespace), object),
    patch: (kind, name, merge) =>
      ask(
        'PATCH',
        `${pathOf(kind, clusterScoped.has(kind) ? undefined : names.namespace)}/${name}`,
        merge,
        'application/merge-patch+json',
      ),
    remove: (kind, name, options = {}) =>
      ask('DELETE', `${pathOf(kind, clusterScoped.has(kind) ? undefined : names.namespace)}/${name}`, options),
    evict: async (name) => {
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: names.namespace } };
      return (await place.api.ask('POST', `${pathOf('Pod', names.namespace)}/${name}/eviction`, { body: eviction }))
        .status;
    },
    kill: ({ spec }) => place.terminate(spec.providerID.split('/').at(-1)),
    until: async (step, isSo, withinSeconds) => {
      const from = stepAt;
      while (!isSo() && place.seconds() - from < withinSeconds) await place.sleep(pollSeconds);
      stepAt = place.seconds();
      const came = isSo();
      steps[step] = came ? round(stepAt - from) : `not within ${withinSeconds} s`;
      return came;
    },
    note: (step, value) => {
      steps[step] = value;
    },
    sleep: async (seconds) => {
      await place.sleep(seconds);
      stepAt = place.seconds();
    },
    begin: () => {
      for (const step of Object.keys(steps)) delete steps[step];
      begunAt = place.seconds();
      stepAt = begunAt;
    },
    observed: (wanted) => {
      const { withoutSeconds, tooFewSeconds, leastEndpoints } = shortageOf(endpoints, {
        from: begunAt,
        to: place.seconds(),
        wanted,
      });
      const ofKarpenter = eventsSince(begunAt).filter(
        ({ source, reportingComponent }) => (source?.component ?? reportingComponent) === 'karpenter',
      );
      return {
        steps: { ...steps },
        withoutSeconds: round(withoutSeconds),
        tooFewSeconds: round(tooFewSeconds),
        leastEndpoints,
        objects: standing(seen, names.pool),
        events: [
          ...new Set(ofKarpenter.map(({ involvedObject, type, reason }) => `${involvedObject.kind} ${type} ${reason}`)),
        ].sort(),
      };
    },
    close: end,
  };
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10;
const poolOf = ({ metadata }: Json): string => metadata.labels?.['karpenter.sh/nodepool'] ?? '';

const isMine = ({ involvedObject, metadata }: Json, { namespace, pool }: Names, pooled: ReadonlySet<string>): boolean =>
  metadata.namespace === namespace || pooled.has(involvedObject.name) || involvedObject.name === pool;

export const condition = (object: Json, type: string): Json =>
  object?.status?.conditions?.find((one: Json) => one.type === type);

export const isReadyPod = (pod: Json): boolean =>
  pod.metadata.deletionTimestamp === undefined && condition(pod, 'Ready')?.status === 'True';

function readyEndpoints(slices: readonly Json[]): number {
  const ready = slices.flatMap(({ endpoints }) =>
    (endpoints ?? []).filter(({ conditions }: Json) => conditions?.ready !== false),
  );
  return new Set(ready.flatMap(({ addresses }) => addresses)).size;
}

/** What a reader of the objects counts. */
function standing(seen: (kind: Kind) => readonly Json[], pool: string): Record<string, number | string> {
  const pods = seen('Pod');
  const nodes = seen('Node').filter((node) => poolOf(node).startsWith(pool));
  const claims = seen('NodeClaim').filter((claim) => poolOf(claim).startsWith(pool));
  const deployment = seen('Deployment')[0];
  const reasons = (deployment?.status?.conditions ?? [])
    .map((one: Json) => `${one.type}=${one.status}/${one.reason}`)
    .sort();
  return {
    pods: pods.length,
    readyPods: pods.filter(isReadyPod).length,
    phases: [...new Set(pods.map(({ status }) => status?.phase))].sort().join(' '),
    nodes: nodes.length,
    taints: [
      ...new Set(
        nodes.flatMap(({ spec }) => (spec?.taints ?? []).map((taint: Json) => `${taint.key}:${taint.effect}`)),
      ),
    ]
      .sort()
      .join(' '),
    claims: claims.length,
    replicaSets: seen('ReplicaSet').length,
    deployment: reasons.join(' '),
    budget: seen('PodDisruptionBudget')
      .map(({ status }) => `${status?.disruptionsAllowed} of ${status?.currentHealthy}`)
      .join(' '),
  };
}
