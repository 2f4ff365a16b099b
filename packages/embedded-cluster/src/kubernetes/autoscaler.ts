import type { Condition, Metadata } from './metadata.ts';
import type { Taint } from './resources.ts';
import type { Requirement } from './specs.ts';

/** Karpenter's kinds, karpenter.sh/v1 (pkg/apis/v1 of kubernetes-sigs/karpenter). */
export interface NodeClassRef {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}
export interface NodePool {
  readonly apiVersion: 'karpenter.sh/v1';
  readonly kind: 'NodePool';
  readonly metadata: Metadata;
  readonly spec: {
    readonly template: {
      readonly metadata?: {
        readonly labels?: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
      };
      readonly spec: {
        readonly nodeClassRef: NodeClassRef;
        readonly requirements: readonly Requirement[];
        readonly expireAfter?: string;
        readonly taints?: readonly Taint[];
        readonly startupTaints?: readonly Taint[];
        readonly terminationGracePeriod?: string;
      };
    };
    readonly disruption?: {
      readonly budgets?: readonly DisruptionBudget[];
      readonly consolidateAfter?: string;
      readonly consolidationPolicy?: 'WhenEmpty' | 'WhenEmptyOrUnderutilized' | 'Balanced';
    };
    readonly limits?: Readonly<Record<string, string>>;
    readonly weight?: number;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly nodeClassObservedGeneration?: number;
    readonly resources?: Readonly<Record<string, string>>;
    readonly nodes?: number;
  };
}
export interface DisruptionBudget {
  readonly nodes: string;
  readonly reasons?: readonly ('Underutilized' | 'Empty' | 'Drifted')[];
  readonly schedule?: string;
  readonly duration?: string;
}
export interface NodeClaim {
  readonly apiVersion: 'karpenter.sh/v1';
  readonly kind: 'NodeClaim';
  readonly metadata: Metadata;
  readonly spec: {
    readonly nodeClassRef: NodeClassRef;
    readonly requirements: readonly Requirement[];
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
    readonly taints?: readonly Taint[];
    readonly startupTaints?: readonly Taint[];
    readonly expireAfter?: string;
    readonly terminationGracePeriod?: string;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly nodeName?: string;
    readonly providerID?: string;
    readonly imageID?: string;
    readonly capacity?: Readonly<Record<string, string>>;
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly lastPodEventTime?: string;
  };
}
/** EC2NodeClass: only the members that are read. */
export interface NodeClass {
  readonly apiVersion: 'karpenter.k8s.aws/v1';
  readonly kind: 'EC2NodeClass';
  readonly metadata: Metadata;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: { readonly conditions?: readonly Condition[] };
}
