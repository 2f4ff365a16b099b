import type { Pod } from '../kubernetes/resources.ts';
import type { ControllerRevision, StatefulSet } from '../kubernetes/stateful-set.ts';
import type { PersistentVolumeClaim } from '../kubernetes/volumes.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { controlledBy, controllerOf, keysOfController } from '../objects/owners.ts';
import { isPodReady, isTerminating } from '../objects/pods.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Site } from '../setup/site.ts';
import { hashOf } from './from-template.ts';
import { availableInstant, nextStep, revisionLabel } from './stateful-set-step.ts';

/**
 * StatefulSet → pods with an ordinal each, and their claims (pkg/controller/statefulset). A terminating pod is replaced
 * when it is gone.
 */
export const statefulSet = reconciler({
  name: 'stateful-set',
  watches: { StatefulSet: (set) => [keyOf(set)], Pod: keysOfController('StatefulSet') },
  reaction: 'controllerReaction',
  reconcile: async (site, key) => {
    const set = site.cache.get('StatefulSet', key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    const pods = podsOf(site, set);
    const revisions = await revisionsOf(site, set);
    const { create, remove } = nextStep(set, pods, revisions.update.metadata.name, site.now());
    for (const ordinal of create) await createPod(site, set, ordinal, revisions);
    for (const { metadata } of remove)
      await site.cluster.delete('Pod', placeOf(`${metadata.namespace}/${metadata.name}`), { uid: metadata.uid ?? '' });
    const status = statusOf(set, pods, revisions, site.now());
    await site.cluster.patch(
      'StatefulSet',
      placeOf(key),
      { type: 'merge', value: { status } },
      { subresource: 'status' },
    );
    if (status.currentRevision === revisions.update.metadata.name) await forgetOldRevisions(site, set, revisions);
    return secondsToNextAvailable(set, pods, site.now());
  },
});

function podsOf(site: Site, { metadata: { uid } }: StatefulSet): readonly Pod[] {
  return [...site.cache.ownedBy(uid)].filter(
    (object): object is Pod => object.kind === 'Pod' && controllerOf(object)?.uid === uid,
  );
}

function secondsToNextAvailable({ spec: { minReadySeconds = 0 } }: StatefulSet, pods: readonly Pod[], at: number) {
  const later = pods.map((pod) => availableInstant(pod, minReadySeconds, at)).filter((instant) => instant > at);
  return later.length === 0 ? undefined : (Math.min(...later) - at) / 1000;
}

/** The version of the template that the pods had, and the newest one. */
interface Revisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  /** All of the set, the oldest first. */
  readonly all: readonly ControllerRevision[];
}

/** A template that was there before gets the next number again (history, getStatefulSetRevisions). */
async function revisionsOf(site: Site, set: StatefulSet): Promise<Revisions> {
  const all = [...site.cache.ownedBy(set.metadata.uid)]
    .filter((object): object is ControllerRevision => object.kind === 'ControllerRevision')
    .toSorted((a, b) => a.revision - b.revision);
  const name = `${set.metadata.name}-${hashOf(set)}`;
  const latest = all.at(-1);
  const next = (latest?.revision ?? 0) + 1;
  const known = all.find(({ metadata }) => metadata.name === name);
  const update =
    known === undefined
      ? await site.cluster.create(revisionFor(set, name, next))
      : known === latest
        ? known
        : await site.cluster.patch('ControllerRevision', placeOf(keyOf(known)), {
            type: 'merge',
            value: { revision: next },
          });
  const current = all.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
  return { current, update, all };
}

function revisionFor(set: StatefulSet, name: string, revision: number): ControllerRevision {
  const { template } = set.spec;
  const { namespace = 'default' } = set.metadata;
  const labels = { ...template.metadata?.labels, 'controller.kubernetes.io/hash': hashOf(set) };
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name, namespace, labels, ownerReferences: [controlledBy(set)] },
    data: { spec: { template: { ...template, ...{ $patch: 'replace' } } } },
    revision,
  };
}

/** `revisionHistoryLimit` revisions are kept besides those in use (truncateHistory). */
async function forgetOldRevisions(site: Site, set: StatefulSet, { current, update, all }: Revisions): Promise<void> {
  const used = new Set([current, update].map(({ metadata }) => metadata.name));
  for (const pod of podsOf(site, set)) used.add(pod.metadata.labels?.[revisionLabel] ?? '');
  const old = all.filter(({ metadata }) => !used.has(metadata.name));
  const surplus = old.slice(0, Math.max(0, old.length - (set.spec.revisionHistoryLimit ?? 10)));
  for (const one of surplus) await site.cluster.delete('ControllerRevision', placeOf(keyOf(one)));
}

/**
 * A pod before the partition is made from the current revision, every other one from the newest
 * (newVersionedStatefulSetPod).
 */
async function createPod(site: Site, set: StatefulSet, ordinal: number, { current, update }: Revisions): Promise<void> {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {};
  const { start = 0 } = set.spec.ordinals ?? {};
  const isCurrent = type === 'RollingUpdate' && ordinal < start + (rollingUpdate?.partition ?? 0);
  for (const claim of claimsOf(set, ordinal))
    if (site.cache.get('PersistentVolumeClaim', keyOf(claim)) === undefined) await site.cluster.create(claim);
  await site.cluster.create(podOf(set, ordinal, isCurrent ? current : update));
}

const podName = ({ metadata }: StatefulSet, ordinal: number): string => `${metadata.name}-${ordinal}`;

function podOf(set: StatefulSet, ordinal: number, revision: ControllerRevision): Pod {
  const template = revision.data?.spec.template ?? set.spec.template;
  const { namespace = 'default' } = set.metadata;
  const name = podName(set, ordinal);
  const { serviceName = '' } = set.spec;
  const claims = claimsOf(set, ordinal).map(({ metadata }, index) => ({
    name: set.spec.volumeClaimTemplates?.[index]?.metadata.name ?? '',
    persistentVolumeClaim: { claimName: metadata.name },
  }));
  const names = new Set(claims.map((claim) => claim.name));
  const volumes = [...claims, ...(template.spec.volumes ?? []).filter((volume) => !names.has(volume.name))];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...template.metadata,
      name,
      namespace,
      labels: {
        ...template.metadata?.labels,
        'apps.kubernetes.io/pod-index': String(ordinal),
        'statefulset.kubernetes.io/pod-name': name,
        [revisionLabel]: revision.metadata.name,
      },
      ownerReferences: [controlledBy(set)],
    },
    spec: {
      ...template.spec,
      hostname: name,
      ...(serviceName !== '' && { subdomain: serviceName }),
      ...(volumes.length > 0 && { volumes }),
    },
  };
}

/** `<template>-<set>-<ordinal>`; they outlive the pod. */
function claimsOf(set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] {
  const { namespace = 'default' } = set.metadata;
  const { volumeClaimTemplates = [], selector } = set.spec;
  return volumeClaimTemplates.map(({ metadata, spec }) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...metadata,
      name: `${metadata.name}-${podName(set, ordinal)}`,
      namespace,
      labels: { ...metadata.labels, ...selector.matchLabels },
    },
    spec,
  }));
}

function statusOf(set: StatefulSet, pods: readonly Pod[], { current, update }: Revisions, at: number) {
  const { replicas = 1, minReadySeconds = 0, updateStrategy } = set.spec;
  const ready = pods.filter((pod) => pod.status?.phase === 'Running' && isPodReady(pod));
  const madeFrom = ({ metadata: { name } }: ControllerRevision) =>
    pods.filter((pod) => !isTerminating(pod) && pod.metadata.labels?.[revisionLabel] === name).length;
  const counts = {
    observedGeneration: set.metadata.generation ?? 1,
    replicas: pods.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => availableInstant(pod, minReadySeconds, at) <= at).length,
    currentReplicas: madeFrom(current),
    updatedReplicas: madeFrom(update),
    currentRevision: current.metadata.name,
    updateRevision: update.metadata.name,
  };
  const isRolling = (updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
  const all = [counts.replicas, counts.readyReplicas, counts.updatedReplicas];
  if (!isRolling || all.some((count) => count !== replicas)) return counts;
  return { ...counts, currentReplicas: counts.updatedReplicas, currentRevision: counts.updateRevision };
}
