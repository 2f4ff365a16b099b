import type { KubernetesObject, LabelSelector } from './metadata.ts';
import type { PodTemplate } from './resources.ts';
import type { PersistentVolumeClaim } from './volumes.ts';

export interface StatefulSet extends KubernetesObject<'StatefulSet', 'apps/v1'> {
  readonly spec: {
    readonly replicas?: number;
    /** The headless Service that gives the pods their names. */
    readonly serviceName?: string;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly minReadySeconds?: number;
    /** `OrderedReady` if absent. */
    readonly podManagementPolicy?: 'OrderedReady' | 'Parallel';
    readonly ordinals?: { readonly start?: number };
    /** The API's default is 10. */
    readonly revisionHistoryLimit?: number;
    readonly updateStrategy?: {
      readonly type?: 'RollingUpdate' | 'OnDelete';
      readonly rollingUpdate?: { readonly partition?: number };
    };
    readonly volumeClaimTemplates?: readonly Pick<PersistentVolumeClaim, 'metadata' | 'spec'>[];
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly currentReplicas?: number;
    readonly updatedReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
  };
}

/** One version of a StatefulSet's template. */
export interface ControllerRevision extends KubernetesObject<'ControllerRevision', 'apps/v1'> {
  readonly revision: number;
  readonly data?: { readonly spec: { readonly template: PodTemplate } };
}
