import type { HorizontalPodAutoscalerSpec, HorizontalPodAutoscalerStatus } from './horizontal-autoscaler.ts';
import type { Condition, KubernetesObject, LabelSelector, Quantities } from './metadata.ts';
import type { IngressSpec, PodSpec } from './specs.ts';

/** core/v1 PodTemplateSpec. */
export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly spec: PodSpec;
}

export interface Namespace extends KubernetesObject<'Namespace', 'v1'> {
  readonly status?: { readonly phase?: 'Active' | 'Terminating'; readonly conditions?: readonly Condition[] };
}
export interface Pod extends KubernetesObject<'Pod', 'v1'> {
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}
export interface PodStatus {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly conditions?: readonly Condition[];
  readonly podIP?: string;
  readonly hostIP?: string;
  readonly startTime?: string;
  readonly reason?: string;
  /** The node on which the scheduler makes room for the pod. */
  readonly nominatedNodeName?: string;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
}
export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly started?: boolean;
  readonly state?: {
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly running?: { readonly startedAt?: string };
    readonly terminated?: {
      readonly exitCode: number;
      readonly reason?: string;
      readonly finishedAt?: string;
      /** What the container wrote to its termination log. */
      readonly message?: string;
    };
  };
  /** The end of the container before the last restart. */
  readonly lastState?: {
    readonly terminated?: { readonly exitCode: number; readonly reason?: string; readonly finishedAt?: string };
  };
}
export interface Node extends KubernetesObject<'Node', 'v1'> {
  readonly spec?: {
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly capacity?: Quantities;
    readonly allocatable?: Quantities;
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly nodeInfo?: {
      readonly architecture: string;
      readonly operatingSystem: string;
      readonly kubeletVersion: string;
    };
    /** The attachable volumes that the kubelet has mounted or is about to mount. */
    readonly volumesInUse?: readonly string[];
  };
}
export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly timeAdded?: string;
}
export interface Deployment extends KubernetesObject<'Deployment', 'apps/v1'> {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly minReadySeconds?: number;
    readonly paused?: boolean;
    /** The API's default is 10. */
    readonly revisionHistoryLimit?: number;
    /** The API's default is 600. */
    readonly progressDeadlineSeconds?: number;
    readonly strategy?: {
      readonly type?: 'RollingUpdate' | 'Recreate';
      readonly rollingUpdate?: { readonly maxUnavailable?: number | string; readonly maxSurge?: number | string };
    };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}
export interface ReplicaSet extends KubernetesObject<'ReplicaSet', 'apps/v1'> {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
  };
  readonly status?: {
    readonly replicas: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly observedGeneration?: number;
  };
}
export interface DaemonSet extends KubernetesObject<'DaemonSet', 'apps/v1'> {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly minReadySeconds?: number;
    readonly updateStrategy?: {
      readonly type?: 'RollingUpdate' | 'OnDelete';
      readonly rollingUpdate?: { readonly maxUnavailable?: number | string; readonly maxSurge?: number | string };
    };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly desiredNumberScheduled: number;
    readonly currentNumberScheduled: number;
    readonly numberMisscheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberReady: number;
    readonly numberAvailable?: number;
    readonly numberUnavailable?: number;
  };
}
export interface Service extends KubernetesObject<'Service', 'v1'> {
  readonly spec: {
    readonly type?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports: readonly {
      readonly name?: string;
      readonly port: number;
      readonly targetPort?: number | string;
      readonly nodePort?: number;
      readonly protocol?: string;
    }[];
    readonly clusterIP?: string;
    readonly externalTrafficPolicy?: 'Cluster' | 'Local';
    readonly loadBalancerClass?: string;
    readonly publishNotReadyAddresses?: boolean;
  };
  readonly status?: { readonly loadBalancer?: LoadBalancerStatus };
}
export interface LoadBalancerStatus {
  readonly ingress?: readonly { readonly hostname?: string; readonly ip?: string }[];
}
export interface EndpointSlice extends KubernetesObject<'EndpointSlice', 'discovery.k8s.io/v1'> {
  readonly addressType: 'IPv4' | 'IPv6' | 'FQDN';
  /** The server sends null for none. */
  readonly endpoints: readonly Endpoint[] | null;
  readonly ports?: readonly { readonly name?: string; readonly port?: number; readonly protocol?: string }[];
}
export interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: { readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean };
  readonly nodeName?: string;
  readonly zone?: string;
  readonly targetRef?: {
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
  };
}
export interface Ingress extends KubernetesObject<'Ingress', 'networking.k8s.io/v1'> {
  readonly spec: IngressSpec;
  readonly status?: { readonly loadBalancer?: LoadBalancerStatus };
}
export interface PodDisruptionBudget extends KubernetesObject<'PodDisruptionBudget', 'policy/v1'> {
  readonly spec: {
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly selector?: LabelSelector;
    readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow';
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly disruptionsAllowed: number;
    readonly currentHealthy: number;
    readonly desiredHealthy: number;
    readonly expectedPods: number;
    readonly disruptedPods?: Readonly<Record<string, string>>;
    readonly conditions?: readonly Condition[];
  };
}
export interface HorizontalPodAutoscaler extends KubernetesObject<'HorizontalPodAutoscaler', 'autoscaling/v2'> {
  readonly spec: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus;
}
export interface Lease extends KubernetesObject<'Lease', 'coordination.k8s.io/v1'> {
  readonly spec: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}
export interface Event extends KubernetesObject<'Event', 'v1'> {
  readonly involvedObject: {
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
    readonly uid?: string;
  };
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly count?: number;
  readonly source?: { readonly component?: string };
}
export interface SelfSubjectAccessReview
  extends KubernetesObject<'SelfSubjectAccessReview', 'authorization.k8s.io/v1'> {
  readonly spec: {
    readonly resourceAttributes: {
      readonly group?: string;
      readonly resource: string;
      readonly subresource?: string;
      readonly verb: string;
      readonly namespace?: string;
    };
  };
  readonly status?: { readonly allowed: boolean; readonly reason?: string };
}
/** metrics.k8s.io: the usage of a pod, averaged over the window that ends at `timestamp`. */
export interface PodMetrics extends KubernetesObject<'PodMetrics', 'metrics.k8s.io/v1beta1'> {
  readonly timestamp: string;
  /** A duration, `15s`. */
  readonly window: string;
  readonly containers: readonly { readonly name: string; readonly usage: Quantities }[];
}
