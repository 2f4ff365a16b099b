import type { Node, Pod } from '../kubernetes/resources.ts';
import type { PersistentVolume, VolumeAttachment } from '../kubernetes/volumes.ts';
import type { Cache } from '../objects/cache.ts';
import { attachableName, claimKeyOf, claimKeysOf, isInUse, volumesOf } from '../objects/claims.ts';
import { isTrue } from '../objects/conditions.ts';
import { hash64 } from '../objects/names.ts';
import { isFinished, isTerminating } from '../objects/pods.ts';
import { createEvent } from '../reconciling/events.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { isOutOfService } from '../scheduling/taints.ts';
import type { Controller, Site } from '../setup/site.ts';

/**
 * Pods on nodes → VolumeAttachments (kubernetes, pkg/controller/volume/attachdetach). A volume is detached when no pod
 * on the node needs it any more and the node's kubelet has unmounted it; that of a node that cannot say so after
 * `forceDetachSeconds`.
 */
export function attachDetach(): Controller {
  /** Since when each attachment is not needed any more, by its name, epoch milliseconds. */
  const unneededSince = new Map<string, number>();
  const told = new Set<string>();
  return reconciler({
    name: 'attach-detach',
    watches: {
      Pod: (pod, cache) => volumesOf(pod, cache).map(({ metadata }) => metadata.name),
      PersistentVolume: ({ metadata }) => [metadata.name],
      VolumeAttachment: ({ spec }) => [spec.source.persistentVolumeName ?? ''],
      Node: ({ metadata }, cache) =>
        [...cache.list('VolumeAttachment')]
          .filter(({ spec }) => spec.nodeName === metadata.name)
          .map(({ spec }) => spec.source.persistentVolumeName ?? ''),
    },
    reaction: 'controllerReaction',
    reconcile: async (site, name) => {
      const volume = site.cache.get('PersistentVolume', name);
      const attachments = [...site.cache.list('VolumeAttachment')].filter(
        ({ spec }) => spec.source.persistentVolumeName === name,
      );
      const pods = volume === undefined ? [] : podsNeeding(volume, site.cache);
      const nodes = new Set(pods.map(({ spec }) => spec.nodeName ?? ''));
      const againSeconds = await detachUnneeded(site, { volume, attachments, nodes, unneededSince });
      if (volume !== undefined)
        for (const nodeName of nodes) await attach(site, { volume, attachments, pods, nodeName, told });
      return againSeconds;
    },
  });
}

interface Attached {
  readonly volume: PersistentVolume | undefined;
  readonly attachments: readonly VolumeAttachment[];
  /** The nodes that need it. */
  readonly nodes: ReadonlySet<string>;
  readonly unneededSince: Map<string, number>;
}

/** How soon to look again, seconds; undefined: when something has changed. */
async function detachUnneeded(
  site: Site,
  { volume, attachments, nodes, unneededSince }: Attached,
): Promise<number | undefined> {
  const waits: number[] = [];
  for (const one of attachments) {
    if (nodes.has(one.spec.nodeName)) unneededSince.delete(one.metadata.name);
    else if (one.metadata.deletionTimestamp === undefined) waits.push(await detach(site, one, volume, unneededSince));
  }
  const next = Math.min(...waits);
  return Number.isFinite(next) ? next : undefined;
}

/**
 * ReconcilerMaxWaitForUnmountDuration (attach_detach_controller.go;
 * https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/#storage-force-detach-on-timeout).
 */
const forceDetachSeconds = 6 * 60;

/** The pods that are on a node and have to have the volume there (util.go, DetermineVolumeAction). */
function podsNeeding(volume: PersistentVolume, cache: Cache): readonly Pod[] {
  const key = claimKeyOf(volume);
  if (key === undefined || attachableName(volume) === undefined) return [];
  return [...cache.inNamespace('Pod', volume.spec.claimRef?.namespace)].filter(
    (pod) => pod.spec.nodeName !== undefined && claimKeysOf(pod).includes(key) && !hasEnded(pod),
  );
}

/** Its phase is final, or it is being deleted and none of its containers runs (pkg/volume/util, IsPodTerminated). */
function hasEnded(pod: Pod): boolean {
  if (isFinished(pod)) return true;
  const statuses = pod.status?.containerStatuses;
  return isTerminating(pod) && statuses?.every(({ state }) => state?.running === undefined) === true;
}

/** Detaches the volume if that is safe, or has to be; else how soon to look again, seconds. */
async function detach(
  site: Site,
  { metadata, spec }: VolumeAttachment,
  volume: PersistentVolume | undefined,
  unneededSince: Map<string, number>,
): Promise<number> {
  const since = unneededSince.get(metadata.name) ?? site.now();
  unneededSince.set(metadata.name, since);
  const node = site.cache.get('Node', spec.nodeName);
  const leftSeconds = (since - site.now()) / 1000 + forceDetachSeconds;
  if (isMounted(volume, node) && !(node !== undefined && isOutOfService(node))) {
    if (leftSeconds > 0) return leftSeconds;
    if (node !== undefined && isTrue(node, 'Ready')) return Number.POSITIVE_INFINITY;
  }
  unneededSince.delete(metadata.name);
  await site.cluster.delete('VolumeAttachment', { name: metadata.name }, { uid: metadata.uid ?? '' });
  return Number.POSITIVE_INFINITY;
}

/** Mounted until the node has said otherwise: a node that is gone never will (actual_state_of_world.go). */
const isMounted = (volume: PersistentVolume | undefined, node: Node | undefined): boolean =>
  volume !== undefined && (node === undefined || isInUse(volume, node));

interface Wanted {
  readonly volume: PersistentVolume;
  readonly attachments: readonly VolumeAttachment[];
  readonly pods: readonly Pod[];
  readonly nodeName: string;
  readonly told: Set<string>;
}

async function attach(site: Site, { volume, attachments, pods, nodeName, told }: Wanted): Promise<void> {
  const name = attachmentName(volume, nodeName);
  if (attachments.some(({ spec }) => spec.nodeName === nodeName)) return;
  if (attachments.length > 0 && !allowsSeveralNodes(volume)) {
    if (!told.has(name)) await tellMultiAttach(site, volume, pods, nodeName);
    told.add(name);
    return;
  }
  told.delete(name);
  await site.cluster.create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name },
    spec: {
      attacher: volume.spec.csi?.driver ?? '',
      nodeName,
      source: { persistentVolumeName: volume.metadata.name },
    },
  });
}

/** As `csi-` and a hash of the volume, the driver and the node (pkg/volume/csi, getAttachmentName). */
const attachmentName = (volume: PersistentVolume, nodeName: string): string =>
  `csi-${hash64(`${attachableName(volume)} ${nodeName}`)
    .toString(16)
    .padStart(16, '0')}`;

/** pkg/volume/util, IsMultiAttachAllowed. */
const allowsSeveralNodes = ({ spec }: PersistentVolume): boolean =>
  spec.accessModes?.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany') === true;

/** An event about the pods that wait (reconciler.go, reportMultiAttachError). */
async function tellMultiAttach(
  site: Site,
  volume: PersistentVolume,
  pods: readonly Pod[],
  nodeName: string,
): Promise<void> {
  const elsewhere = pods.filter(({ spec }) => spec.nodeName !== nodeName).map(({ metadata }) => metadata.name);
  const why =
    elsewhere.length === 0
      ? "exclusively attached to one node and can't be attached to another"
      : `used by pod(s) ${elsewhere.join(', ')}`;
  const message = `Multi-Attach error for volume "${volume.metadata.name}" Volume is already ${why}`;
  for (const pod of pods.filter(({ spec }) => spec.nodeName === nodeName))
    await createEvent(site, pod, 'Warning', 'FailedAttachVolume', message, 'attachdetach-controller');
}
