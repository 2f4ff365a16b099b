import type { Deployment, Pod, ReplicaSet } from '../kubernetes/resources.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import { sameJson } from '../objects/json.ts';
import { controlledBy, controllerOf, keysOfController } from '../objects/owners.ts';
import { isFinished } from '../objects/pods.ts';
import { selectorMatches } from '../objects/selectors.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Site } from '../setup/site.ts';
import { deadlineOf, deploymentStatus } from './deployment-status.ts';
import { podTemplateHashOf, replicaSetOf, revisionAnnotation, revisionOf } from './from-template.ts';
import { type Scaling, scalings } from './rollout.ts';
import { isScaled, proportionally, replicasAnnotations } from './scaling.ts';

/** Deployment → ReplicaSets, by RollingUpdate or Recreate (pkg/controller/deployment). */
export const deployment = reconciler({
  name: 'deployment',
  watches: {
    Deployment: (object) => [keyOf(object)],
    ReplicaSet: (set, cache) => [...keysOfController('Deployment')(set), ...adopters(set, cache)],
    Pod: keysWaitingForDeletion,
  },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const wanted = site.cache.get('Deployment', key);
    if (wanted === undefined || wanted.metadata.deletionTimestamp !== undefined) return undefined;
    await adopt(site, wanted);
    const sets = setsOf(site.cache, wanted);
    const hash = podTemplateHashOf(wanted);
    const there = currentOf(wanted, sets, hash);
    const isResized = wanted.spec.paused === true || isScaled(wanted, sets);
    const isNew = there === undefined && !isResized;
    const current = isNew ? await site.cluster.create(replicaSetOf(wanted, hash, sets)) : there;
    if (isResized) await resize(site, wanted, there, sets);
    else if (there !== undefined) await roll(site, wanted, there, sets);
    const value = { status: deploymentStatus(wanted, { current, sets, isNew }, site.now()) };
    await site.cluster.patch('Deployment', placeOf(key), { type: 'merge', value }, { subresource: 'status' });
    const deadline = deadlineOf(site.cache.get('Deployment', key) ?? wanted);
    return deadline === undefined ? undefined : Math.max(1, 1 + (deadline - site.now()) / 1000);
  },
});

function setsOf(cache: Cache, { metadata }: Deployment): readonly ReplicaSet[] {
  return [...cache.ownedBy(metadata.uid)].filter(
    (object): object is ReplicaSet => object.kind === 'ReplicaSet' && controllerOf(object)?.uid === metadata.uid,
  );
}

/**
 * The set with this template; the order of keys does not matter, so that a rollback finds its set again
 * (EqualIgnoreHash).
 */
function currentOf({ spec }: Deployment, sets: readonly ReplicaSet[], hash: string): ReplicaSet | undefined {
  const byHash = sets.find(({ metadata }) => metadata.labels?.['pod-template-hash'] === hash);
  return byHash ?? sets.find((set) => sameJson(templateOf(set), spec.template));
}

function templateOf({ spec: { template } }: ReplicaSet): unknown {
  const { 'pod-template-hash': _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

/** The Deployments that may adopt a set without a controller. */
function adopters(set: ReplicaSet, cache: Cache): readonly string[] {
  if (controllerOf(set) !== undefined) return [];
  return [...cache.inNamespace('Deployment', set.metadata.namespace)]
    .filter(({ spec }) => selectorMatches(set.metadata.labels, spec.selector))
    .map(keyOf);
}

/** Becomes the controller of the orphaned sets that its selector selects. */
async function adopt(site: Site, wanted: Deployment): Promise<void> {
  for (const object of site.cache.ownedBy('')) {
    const { kind, metadata } = object;
    if (kind !== 'ReplicaSet' || metadata.namespace !== wanted.metadata.namespace) continue;
    if (metadata.deletionTimestamp !== undefined || !selectorMatches(metadata.labels, wanted.spec.selector)) continue;
    const value = { metadata: { uid: metadata.uid, ownerReferences: [controlledBy(wanted)] } };
    await site.cluster.patch(kind, placeOf(keyOf(object)), { type: 'merge', value });
  }
}

/** A pod that is gone concerns its Deployment if that waits for it, with strategy Recreate. */
function keysWaitingForDeletion(pod: Pod, cache: Cache): readonly string[] {
  if (cache.get('Pod', keyOf(pod)) !== undefined) return [];
  return keysOfController('ReplicaSet')(pod).flatMap((key) => {
    const set = cache.get('ReplicaSet', key);
    const keys = set === undefined ? [] : keysOfController('Deployment')(set);
    return keys.filter((one) => cache.get('Deployment', one)?.spec.strategy?.type === 'Recreate');
  });
}

/** Of a Deployment that is paused or scaled (sync.go, sync): no rollout meanwhile. */
async function resize(
  site: Site,
  wanted: Deployment,
  current: ReplicaSet | undefined,
  sets: readonly ReplicaSet[],
): Promise<void> {
  if (current !== undefined) await syncRevision(site, wanted, current, sets);
  for (const scaling of proportionally(wanted, current, sets)) await scale(site, wanted, scaling);
  if (wanted.spec.paused)
    await deleteOldSets(
      site,
      wanted,
      sets.filter((set) => set !== current),
    );
}

async function roll(site: Site, wanted: Deployment, current: ReplicaSet, sets: readonly ReplicaSet[]): Promise<void> {
  await syncRevision(site, wanted, current, sets);
  const others = sets.filter((set) => set !== current);
  const areOldPodsLeft = others.some((set) => [...site.cache.ownedBy(set.metadata.uid)].some(isActivePod));
  for (const scaling of scalings(wanted, current, sets, areOldPodsLeft)) await scale(site, wanted, scaling);
  await deleteOldSets(site, wanted, others);
}

const isActivePod = (object: { readonly kind: string }): boolean => object.kind === 'Pod' && !isFinished(object as Pod);

/**
 * The current set gets the highest revision, also after a rollback; the Deployment's annotation has it too, by its
 * status (sync.go).
 */
async function syncRevision(
  site: Site,
  wanted: Deployment,
  current: ReplicaSet,
  sets: readonly ReplicaSet[],
): Promise<void> {
  const highest = Math.max(0, ...sets.filter((set) => set !== current).map(revisionOf));
  const revision = Math.max(revisionOf(current), highest + 1);
  const annotated = { metadata: { annotations: { [revisionAnnotation]: String(revision) } } };
  const spec = { minReadySeconds: wanted.spec.minReadySeconds ?? 0 };
  const hasMinReady = (current.spec.minReadySeconds ?? 0) === spec.minReadySeconds;
  if (revisionOf(current) !== revision || !hasMinReady) {
    const value = hasMinReady ? annotated : { ...annotated, spec };
    await site.cluster.patch('ReplicaSet', placeOf(keyOf(current)), { type: 'merge', value });
  }
  if (wanted.metadata.annotations?.[revisionAnnotation] !== String(revision))
    await site.cluster.patch(
      'Deployment',
      placeOf(keyOf(wanted)),
      { type: 'merge', value: annotated },
      { subresource: 'status' },
    );
}

/**
 * Keeps the newest `revisionHistoryLimit` empty sets for a rollback, and deletes the others (sync.go,
 * cleanupDeployment).
 */
async function deleteOldSets(site: Site, { spec }: Deployment, others: readonly ReplicaSet[]): Promise<void> {
  const empty = others.filter((set) => (set.spec.replicas ?? 1) === 0 && (set.status?.replicas ?? 0) === 0);
  const surplus = empty.length - (spec.revisionHistoryLimit ?? 10);
  if (surplus <= 0) return;
  for (const set of empty.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, surplus))
    await site.cluster.delete('ReplicaSet', placeOf(keyOf(set)), { uid: set.metadata.uid ?? '' });
}

async function scale(site: Site, wanted: Deployment, { set, replicas }: Scaling): Promise<void> {
  const value = { metadata: { annotations: replicasAnnotations(wanted) }, spec: { replicas } };
  await site.cluster.patch('ReplicaSet', placeOf(keyOf(set)), { type: 'merge', value });
}
