import type { PersistentVolume, PersistentVolumeClaim } from '../kubernetes/volumes.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import {
  bindCompleted,
  claimKeyOf,
  defaultClass,
  isBound,
  selectedNode,
  storageProvisioner,
  waitsForConsumer,
} from '../objects/claims.ts';
import { driverOf } from '../objects/volume-drivers.ts';
import { createEvent } from '../reconciling/events.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { isReservedFor, matchingVolume } from '../scheduling/matching-volume.ts';
import type { Controller, Site } from '../setup/site.ts';

/**
 * Claims and volumes → one another (kubernetes, pkg/controller/volume/persistentvolume;
 * https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding). A claim for which no volume is there is
 * handed to the provisioner of its class.
 */
export function volumeBinder(): Controller {
  const told = new Set<string>();
  return reconciler({
    name: 'volume-binder',
    watches: {
      PersistentVolumeClaim: (claim, cache) => [`claim ${keyOf(claim)}`, ...keysOfVolumes(claim, cache)],
      PersistentVolume: (volume, cache) => [`volume ${keyOf(volume)}`, ...unboundClaims(cache)],
      StorageClass: (_class, cache) => unboundClaims(cache),
      VolumeAttachment: ({ spec }) => [`volume ${spec.source.persistentVolumeName}`],
    },
    reaction: 'controllerReaction',
    reconcile: async (site, key) => {
      const [kind, at = ''] = key.split(' ');
      const claim = kind === 'claim' ? site.cache.get('PersistentVolumeClaim', at) : undefined;
      const volume = kind === 'volume' ? site.cache.get('PersistentVolume', at) : undefined;
      if (claim !== undefined) await syncClaim(site, claim, told);
      if (volume !== undefined) await syncVolume(site, volume);
      return undefined;
    },
  });
}

const unboundClaims = (cache: Cache): readonly string[] =>
  [...cache.list('PersistentVolumeClaim')].filter((claim) => !isBound(claim)).map((claim) => `claim ${keyOf(claim)}`);

const keysOfVolumes = (claim: PersistentVolumeClaim, cache: Cache): readonly string[] =>
  [...cache.list('PersistentVolume')]
    .filter((volume) => claimKeyOf(volume) === keyOf(claim))
    .map((volume) => `volume ${keyOf(volume)}`);

async function syncClaim(site: Site, claim: PersistentVolumeClaim, told: Set<string>): Promise<void> {
  if (claim.metadata.deletionTimestamp !== undefined) return;
  if (isBound(claim)) return loseClaim(site, claim);
  if (claim.spec.storageClassName === undefined && claim.spec.volumeName === undefined) {
    const found = defaultClass(site.cache.list('StorageClass'));
    if (found !== undefined) return patchClaim(site, claim, { spec: { storageClassName: found.metadata.name } });
  }
  const volume = volumeFor(claim, site.cache);
  if (volume !== undefined) return bind(site, claim, volume);
  if (!waitsForConsumer(claim, site.cache) || claim.metadata.annotations?.[selectedNode] !== undefined)
    await askForVolume(site, claim, told);
}

/** The volume that the claim names, that names the claim, or that it can have at once. */
function volumeFor(claim: PersistentVolumeClaim, cache: Cache): PersistentVolume | undefined {
  const { volumeName } = claim.spec;
  if (volumeName !== undefined) {
    const named = cache.get('PersistentVolume', volumeName);
    const isFree = named !== undefined && (named.spec.claimRef === undefined || isReservedFor(named, claim));
    return isFree ? named : undefined;
  }
  const volumes = [...cache.list('PersistentVolume')];
  const waits = waitsForConsumer(claim, cache);
  return matchingVolume(claim, waits ? volumes.filter((volume) => isReservedFor(volume, claim)) : volumes);
}

async function askForVolume(site: Site, claim: PersistentVolumeClaim, told: Set<string>): Promise<void> {
  const { storageClassName = '', volumeName } = claim.spec;
  if (storageClassName === '' || volumeName !== undefined) return;
  const storageClass = site.cache.get('StorageClass', storageClassName);
  if (storageClass === undefined) {
    const { uid = '' } = claim.metadata;
    const message = `storageclass.storage.k8s.io "${storageClassName}" not found`;
    if (told.has(uid)) return;
    told.add(uid);
    return createEvent(site, claim, 'Warning', 'ProvisioningFailed', message, 'persistentvolume-controller');
  }
  const { provisioner } = storageClass;
  if (claim.metadata.annotations?.[storageProvisioner] === provisioner) return;
  await patchClaim(site, claim, { metadata: { annotations: { [storageProvisioner]: provisioner } } });
}

async function bind(site: Site, claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
  const { namespace = 'default', name, uid = '' } = claim.metadata;
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid };
  const at = { name: volume.metadata.name };
  if (volume.spec.claimRef?.uid !== uid)
    await site.cluster.patch('PersistentVolume', at, { type: 'merge', value: { spec: { claimRef } } });
  await patchClaim(site, claim, {
    metadata: { annotations: { [bindCompleted]: 'yes' } },
    spec: { volumeName: volume.metadata.name },
  });
  const { accessModes = [], capacity = {} } = volume.spec;
  await patchClaimStatus(site, claim, { phase: 'Bound', accessModes, capacity });
}

/**
 * A claim whose volume is gone is lost for good
 * (https://kubernetes.io/docs/concepts/storage/persistent-volumes/#phase).
 */
async function loseClaim(site: Site, claim: PersistentVolumeClaim): Promise<void> {
  const volume = site.cache.get('PersistentVolume', claim.spec.volumeName ?? '');
  if (volume === undefined && claim.status?.phase !== 'Lost') await patchClaimStatus(site, claim, { phase: 'Lost' });
}

type Phase = NonNullable<PersistentVolume['status']>['phase'];

function phaseOf({ spec }: PersistentVolume, claim: PersistentVolumeClaim | undefined): Phase {
  if (spec.claimRef?.uid === undefined) return 'Available';
  return claim?.metadata.uid === spec.claimRef.uid ? 'Bound' : 'Released';
}

/** A released volume of the policy Delete goes when it is attached nowhere (external-provisioner, ShouldDelete). */
async function syncVolume(site: Site, volume: PersistentVolume): Promise<void> {
  const { name, uid = '' } = volume.metadata;
  const phase = phaseOf(volume, site.cache.get('PersistentVolumeClaim', claimKeyOf(volume) ?? ''));
  const value = { status: { phase } };
  if (volume.status?.phase !== phase)
    await site.cluster.patch('PersistentVolume', { name }, { type: 'merge', value }, { subresource: 'status' });
  if (phase === 'Released' && isRemovable(volume, site.cache))
    await site.cluster.delete('PersistentVolume', { name }, { uid });
}

function isRemovable({ metadata, spec }: PersistentVolume, cache: Cache): boolean {
  if (spec.persistentVolumeReclaimPolicy !== 'Delete' || driverOf(spec.csi?.driver ?? '') === undefined) return false;
  return ![...cache.list('VolumeAttachment')].some((one) => one.spec.source.persistentVolumeName === metadata.name);
}

async function patchClaim(site: Site, claim: PersistentVolumeClaim, value: object): Promise<void> {
  await site.cluster.patch('PersistentVolumeClaim', placeOf(keyOf(claim)), { type: 'merge', value });
}

async function patchClaimStatus(
  site: Site,
  claim: PersistentVolumeClaim,
  status: PersistentVolumeClaim['status'],
): Promise<void> {
  const at = placeOf(keyOf(claim));
  await site.cluster.patch(
    'PersistentVolumeClaim',
    at,
    { type: 'merge', value: { status } },
    { subresource: 'status' },
  );
}
