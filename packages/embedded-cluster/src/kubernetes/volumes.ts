import type { KubernetesObject, Quantities } from './metadata.ts';
import type { NodeSelectorTerm } from './specs.ts';

export interface PersistentVolumeClaim extends KubernetesObject<'PersistentVolumeClaim', 'v1'> {
  readonly spec: {
    readonly accessModes?: readonly string[];
    /** Absent: the cluster's default class, as soon as there is one; empty: no class. */
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly volumeName?: string;
    readonly resources?: { readonly requests?: Quantities };
  };
  readonly status?: {
    readonly phase?: 'Pending' | 'Bound' | 'Lost';
    readonly accessModes?: readonly string[];
    readonly capacity?: Quantities;
  };
}

export interface PersistentVolume extends KubernetesObject<'PersistentVolume', 'v1'> {
  readonly spec: {
    readonly capacity?: Quantities;
    readonly accessModes?: readonly string[];
    readonly claimRef?: ClaimReference;
    readonly persistentVolumeReclaimPolicy?: 'Retain' | 'Delete' | 'Recycle';
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly csi?: { readonly driver: string; readonly volumeHandle: string; readonly fsType?: string };
    readonly nodeAffinity?: { readonly required?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] } };
  };
  readonly status?: { readonly phase?: 'Pending' | 'Available' | 'Bound' | 'Released' | 'Failed' };
}

/** The claim that a volume is for; without a uid it is reserved for whatever has the name. */
export interface ClaimReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
}

export interface StorageClass extends KubernetesObject<'StorageClass', 'storage.k8s.io/v1'> {
  readonly provisioner: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: 'Retain' | 'Delete';
  /** The API's default is `Immediate`. */
  readonly volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
  readonly allowVolumeExpansion?: boolean;
  readonly allowedTopologies?: readonly {
    readonly matchLabelExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
  }[];
}

/** That a volume is to be attached to a node, and whether it is. */
export interface VolumeAttachment extends KubernetesObject<'VolumeAttachment', 'storage.k8s.io/v1'> {
  readonly spec: {
    readonly attacher: string;
    readonly nodeName: string;
    readonly source: { readonly persistentVolumeName?: string };
  };
  readonly status?: { readonly attached: boolean };
}
