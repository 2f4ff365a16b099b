import type { Change, Selectors } from '../../cluster/cluster.ts';
import type { Journal } from '../../journal/journal.ts';
import { digestOf, type Watched, type WatchedKind, watchedAs, watchedKinds } from '../record/digest.ts';
import type { ClusterChanged, ValidationFact } from '../record/events.ts';
import type { Settings } from '../settings.ts';
import type { Site } from '../site.ts';
import { applicationSelector, claimSelector, isNotLeftOver, type Snapshot, sliceSelector } from './snapshot.ts';

/** The watch of an application and its pool: the newest view. */
export interface Timeline {
  readonly now: () => Snapshot;
}

/** The watches of a run: they journal every change of a digest. */
export interface Timelines {
  /** In the order of the applications. */
  readonly each: readonly Timeline[];
  /** Resolves when every kind was listed once; rejects if one could not be. */
  readonly synced: Promise<void>;
  /** Ends the watches and waits for them. */
  stop(): Promise<void>;
}

/**
 * Starts the watches of each application; those that are the same for several are made once. `journalFor` gives the
 * journal for what concerns these applications, by their places. `onFailed` gets the error of a watch that cannot go
 * on, such as one whose permission was taken away.
 */
export function startTimelines(
  site: Site,
  all: readonly Settings[],
  journalFor: (applications: readonly number[]) => Journal<ValidationFact>,
  onFailed: (error: unknown) => void,
): Timelines {
  const ending = new AbortController();
  const begin = (kind: WatchedKind, settings: Settings, of: readonly number[]) => {
    const view = createView(kind, journalFor(of));
    const ended = follow(site, settings, kind, view, ending.signal).catch((error: unknown) => {
      view.synced.reject(error);
      onFailed(error);
    });
    return { kind, of, view, ended };
  };
  const watches = watchedKinds.flatMap((kind) => {
    const keys = all.map((settings) => whatIsWatched(settings, kind));
    const sharing = (key: string) => keys.flatMap((other, index) => (other === key ? [index] : []));
    return all.flatMap((settings, index) =>
      keys.indexOf(keys[index] ?? '') === index ? [begin(kind, settings, sharing(keys[index] ?? ''))] : [],
    );
  });
  const synced = Promise.all(watches.map(({ view }) => view.synced.promise)).then(() => {});
  synced.catch(() => undefined);
  const viewsOf = (index: number) =>
    new Map(watches.filter(({ of }) => of.includes(index)).map(({ kind, view }) => [kind, view]));
  return {
    each: all.map((_, index) => ({ now: snapshotsOf(viewsOf(index)) })),
    synced,
    async stop() {
      ending.abort();
      await Promise.all(watches.map(({ ended }) => ended));
    },
  };
}

function snapshotsOf(views: ReadonlyMap<WatchedKind, View<WatchedKind>>): () => Snapshot {
  const objects = <K extends WatchedKind>(kind: K): readonly Watched<K>[] =>
    [...(views.get(kind)?.objects.values() ?? [])] as unknown as readonly Watched<K>[];
  return () => ({
    workload: objects('Deployment')[0],
    pods: objects('Pod').filter(isNotLeftOver),
    nodes: objects('Node'),
    claims: objects('NodeClaim'),
    slices: objects('EndpointSlice'),
    budgets: objects('PodDisruptionBudget'),
    ingressPods: objects('IngressPod'),
  });
}

/** Two applications for which this is the same see the same objects of that kind. */
const whatIsWatched = (settings: Settings, kind: WatchedKind): string =>
  JSON.stringify([kind === 'Deployment' ? settings.applicationKind : kind, whereOf(settings)[kind]]);

interface View<K extends WatchedKind> {
  readonly objects: Map<string, Watched<K>>;
  readonly synced: PromiseWithResolvers<void>;
  readonly take: (change: Change) => void;
  readonly lost: (sinceAt: number) => void;
}

function createView<K extends WatchedKind>(kind: K, journal: Journal<ValidationFact>): View<K> {
  const objects = new Map<string, Watched<K>>();
  const digests = new Map<string, string>();
  const synced = Promise.withResolvers<void>();
  const take = (change: Change): void => {
    if (change.type === 'synced') {
      journal.record({ type: 'cluster-watched', kind });
      synced.resolve();
      return;
    }
    const object = change.object as Watched<K>;
    const { name } = object.metadata;
    const digest = digestOf(kind, object);
    const text = JSON.stringify(digest);
    const isKnown = change.type !== 'deleted' && digests.get(name) === text;
    if (change.type === 'deleted') {
      objects.delete(name);
      digests.delete(name);
    } else {
      objects.set(name, object);
      digests.set(name, text);
    }
    if (!isKnown)
      journal.record({ type: 'cluster-changed', change: change.type, kind, name, digest } as ClusterChanged);
  };
  const lost = (sinceAt: number): void =>
    journal.record({ type: 'cluster-unwatched', kind, since: new Date(sinceAt).toISOString() });
  return { objects, synced, take, lost };
}

async function follow<K extends WatchedKind>(
  { cluster }: Site,
  settings: Settings,
  kind: K,
  view: View<K>,
  signal: AbortSignal,
): Promise<void> {
  // The view of the workload has the name of the kind that it mostly is.
  const watched = kind === 'Deployment' ? settings.applicationKind : watchedAs[kind];
  const watch = cluster.watch(watched, whereOf(settings)[kind], signal, view.lost);
  for await (const change of watch) view.take(change);
}

function whereOf(settings: Settings): Readonly<Record<WatchedKind, Selectors>> {
  const { namespace, application, disruptionBudget, ingressController, nodePool } = settings;
  return {
    Deployment: { namespace, fieldSelector: `metadata.name=${application}` },
    EndpointSlice: { namespace, labelSelector: sliceSelector(settings) },
    IngressPod: { namespace: ingressController.namespace, labelSelector: ingressController.selector },
    Node: {},
    NodeClaim: { labelSelector: claimSelector(settings) },
    NodePool: { fieldSelector: `metadata.name=${nodePool.name}` },
    Pod: { namespace, labelSelector: applicationSelector(settings) },
    PodDisruptionBudget: { namespace, fieldSelector: `metadata.name=${disruptionBudget ?? ''}` },
  };
}
