import { type Copy, ofKind } from './copy.ts';

/** A kind that a copy does not have, and what cannot be answered without it. */
export interface Lack {
  readonly kind: string;
  /** One sentence. */
  readonly because: string;
}

interface Need {
  readonly kind: string;
  readonly without: string;
  /** Whether the copy has something that would need it. */
  readonly isNeeded: (copy: Copy) => boolean;
}

const always = () => true;
const isOfKarpenter = (copy: Copy): boolean =>
  ofKind(copy, 'Node').some(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] !== undefined);
const hasOwner =
  (kind: string) =>
  (copy: Copy): boolean =>
    ofKind(copy, 'Pod').some(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.kind === kind) === true);
const hasClaims = (copy: Copy): boolean =>
  ofKind(copy, 'Pod').some(({ spec }) => spec.volumes?.some((one) => one.persistentVolumeClaim !== undefined) === true);

const needs: readonly Need[] = [
  { kind: 'Node', without: 'no node can be drained or lost', isNeeded: always },
  { kind: 'Pod', without: 'nobody can say who goes down', isNeeded: always },
  { kind: 'PodDisruptionBudget', without: 'whether a budget blocks cannot be said', isNeeded: always },
  { kind: 'ReplicaSet', without: 'pods of Deployments have an unknown owner', isNeeded: hasOwner('ReplicaSet') },
  { kind: 'Deployment', without: 'ReplicaSets stand for Deployments', isNeeded: hasOwner('ReplicaSet') },
  { kind: 'StatefulSet', without: 'its pods have an unknown owner', isNeeded: hasOwner('StatefulSet') },
  { kind: 'DaemonSet', without: 'its pods have an unknown owner', isNeeded: hasOwner('DaemonSet') },
  { kind: 'Job', without: 'its pods have an unknown owner', isNeeded: hasOwner('Job') },
  { kind: 'NodePool', without: 'nothing replaces the nodes of Karpenter', isNeeded: isOfKarpenter },
  { kind: 'NodeClaim', without: 'nothing replaces the nodes of Karpenter', isNeeded: isOfKarpenter },
  { kind: 'PersistentVolumeClaim', without: 'where volumes bind pods cannot be said', isNeeded: hasClaims },
  { kind: 'PersistentVolume', without: 'where volumes bind pods cannot be said', isNeeded: hasClaims },
];

/**
 * What a copy lacks, the most important first. A snapshot says which kinds it asked for; of a dump, a kind without an
 * object may not have been asked for.
 */
export function lacksOf(copy: Copy): readonly Lack[] {
  const isThere = (kind: string) =>
    (copy.objects.get(kind)?.length ?? 0) > 0 || copy.kindsRead?.includes(kind) === true;
  return needs
    .filter((need) => !isThere(need.kind) && need.isNeeded(copy))
    .map(({ kind, without }) => ({ kind, because: `The copy has no ${kind}: ${without}.` }));
}
