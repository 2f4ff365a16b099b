import type { PersistentVolumeClaim, StorageClass } from '../kubernetes/volumes.ts';
import { keyOf, placeOf } from '../objects/cache.ts';
import { isBound, selectedNode, storageProvisioner } from '../objects/claims.ts';
import { driverOf } from '../objects/volume-drivers.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Site } from '../setup/site.ts';
import { newVolume, spreadZone, zoneLabel } from './new-volume.ts';

/**
 * Claims that ask for a volume → PersistentVolumes in the zone of the chosen node (kubernetes-csi/external-provisioner
 * with the driver of the class; https://kubernetes.io/docs/concepts/storage/storage-classes/#volume-binding-mode).
 */
export const volumeProvisioner = reconciler({
  name: 'volume-provisioner',
  watches: {
    PersistentVolumeClaim: (claim) => (isAsking(claim) ? [keyOf(claim)] : []),
    Node: (node, cache) =>
      [...cache.list('PersistentVolumeClaim')]
        .filter((claim) => isAsking(claim) && [node.metadata.name, undefined].includes(chosenNode(claim)))
        .map(keyOf),
  },
  reaction: 'volumeCreate',
  reconcile: async (site, key) => {
    const claim = site.cache.get('PersistentVolumeClaim', key);
    if (claim === undefined || !isAsking(claim)) return undefined;
    const storageClass = site.cache.get('StorageClass', claim.spec.storageClassName ?? '');
    if (storageClass !== undefined) await provision(site, claim, storageClass);
    return undefined;
  },
});

const chosenNode = ({ metadata }: PersistentVolumeClaim): string | undefined => metadata.annotations?.[selectedNode];

function isAsking(claim: PersistentVolumeClaim): boolean {
  const { annotations, deletionTimestamp } = claim.metadata;
  const driver = driverOf(annotations?.[storageProvisioner] ?? '');
  return driver !== undefined && deletionTimestamp === undefined && !isBound(claim);
}

async function provision(site: Site, claim: PersistentVolumeClaim, storageClass: StorageClass): Promise<void> {
  const driver = driverOf(storageClass.provisioner);
  const { uid } = claim.metadata;
  if (driver === undefined || site.cache.get('PersistentVolume', `pvc-${uid}`) !== undefined) return;
  const chosen = chosenNode(claim);
  if (chosen !== undefined && site.cache.get('Node', chosen) === undefined) return unchoose(site, claim);
  const zone = driver.zonal ? zoneFor(site, claim, storageClass) : undefined;
  if (driver.zonal && zone === undefined) return;
  const digits = Array.from({ length: 16 }, () => Math.floor(site.random() * 16).toString(16)).join('');
  await site.cluster.create(newVolume(claim, storageClass, driver, { zone, volumeHandle: `vol-0${digits}` }));
}

/** kube-scheduler places the pod anew (external-provisioner, ProvisioningReschedule). */
async function unchoose(site: Site, claim: PersistentVolumeClaim): Promise<void> {
  const value = { metadata: { annotations: { [selectedNode]: null } } };
  await site.cluster.patch('PersistentVolumeClaim', placeOf(keyOf(claim)), { type: 'merge', value });
}

function zoneFor(site: Site, claim: PersistentVolumeClaim, { allowedTopologies }: StorageClass): string | undefined {
  const chosen = chosenNode(claim);
  if (chosen !== undefined) return site.cache.get('Node', chosen)?.metadata.labels?.[zoneLabel];
  const allowed = allowedTopologies?.flatMap(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.flatMap(({ key, values }) => (key === zoneLabel ? values : [])),
  );
  const ofNodes = [...site.cache.list('Node')].flatMap(({ metadata }) => metadata.labels?.[zoneLabel] ?? []);
  return spreadZone(claim.metadata.name, allowed ?? ofNodes);
}
