import type { PersistentVolume, PersistentVolumeClaim } from '../kubernetes/volumes.ts';
import { claimKeyOf } from '../objects/claims.ts';
import { quantity } from '../objects/quantities.ts';
import { meetsTerm } from './requirements.ts';

type Labels = Readonly<Record<string, string>>;

/** Whether a node with these labels can have the volume. */
export function isReachable({ spec }: PersistentVolume, labels: Labels): boolean {
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms;
  return terms === undefined || terms.some((term) => meetsTerm(labels, term));
}

/**
 * The volume that is there for the claim: one that names it, else the smallest available one of its class that is large
 * enough and has its access modes (component-helpers/storage/volume, FindMatchingVolume). `labels`: of the node that
 * has to reach it; without, every volume counts.
 */
export function matchingVolume(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  labels?: Labels,
): PersistentVolume | undefined {
  const fitting = [...volumes].filter(
    (volume) => suits(volume, claim) && (labels === undefined || isReachable(volume, labels)),
  );
  return (
    fitting.find((volume) => isReservedFor(volume, claim)) ??
    fitting
      .filter(({ spec, status }) => spec.claimRef === undefined && status?.phase === 'Available')
      .toSorted((a, b) => sizeOf(a) - sizeOf(b))[0]
  );
}

/** Whether its reference is to this claim, and not to an earlier one of the same name. */
export function isReservedFor(volume: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const { uid } = volume.spec.claimRef ?? {};
  const isSameName = claimKeyOf(volume) === `${metadata.namespace ?? 'default'}/${metadata.name}`;
  return isSameName && (uid === undefined || uid === metadata.uid);
}

const sizeOf = ({ spec }: PersistentVolume): number => quantity(spec.capacity?.storage);

function suits(volume: PersistentVolume, { spec }: PersistentVolumeClaim): boolean {
  const { storageClassName = '', volumeMode = 'Filesystem', accessModes = [] } = volume.spec;
  return (
    volume.metadata.deletionTimestamp === undefined &&
    storageClassName === (spec.storageClassName ?? '') &&
    volumeMode === (spec.volumeMode ?? 'Filesystem') &&
    sizeOf(volume) >= quantity(spec.resources?.requests?.storage) &&
    (spec.accessModes ?? []).every((mode) => accessModes.includes(mode))
  );
}
