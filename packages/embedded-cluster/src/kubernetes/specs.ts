import type { LabelSelector } from './metadata.ts';

/** The larger nested types of core/v1 and networking.k8s.io/v1. */
export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly (Container & { readonly restartPolicy?: 'Always' })[];
  readonly overhead?: Readonly<Record<string, string>>;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly readinessGates?: readonly { readonly conditionType: string }[];
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: Affinity;
  readonly tolerations?: readonly Toleration[];
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly terminationGracePeriodSeconds?: number;
  readonly priorityClassName?: string;
  /** Set by the API server, from the class. */
  readonly priority?: number;
  readonly preemptionPolicy?: 'PreemptLowerPriority' | 'Never';
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  readonly activeDeadlineSeconds?: number;
  readonly imagePullSecrets?: readonly { readonly name: string }[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly emptyDir?: object;
    readonly configMap?: object;
    readonly persistentVolumeClaim?: { readonly claimName: string };
    readonly downwardAPI?: {
      readonly items: readonly { readonly path: string; readonly fieldRef: { readonly fieldPath: string } }[];
    };
  }[];
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly runAsGroup?: number;
    readonly seccompProfile?: { readonly type: 'RuntimeDefault' };
  };
}
export interface Container {
  readonly name: string;
  readonly image: string;
  readonly ports?: readonly {
    readonly name?: string;
    readonly containerPort: number;
    readonly hostPort?: number;
    readonly protocol?: string;
  }[];
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
  readonly readinessProbe?: ContainerProbe;
  readonly livenessProbe?: ContainerProbe;
  readonly startupProbe?: ContainerProbe;
  readonly lifecycle?: {
    readonly preStop?: {
      readonly sleep?: { readonly seconds: number };
      readonly exec?: { readonly command: readonly string[] };
      readonly httpGet?: { readonly path?: string; readonly port: number | string };
    };
  };
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop: readonly string[] };
  };
}
export interface ContainerProbe {
  readonly httpGet?: { readonly path?: string; readonly port: number | string };
  readonly tcpSocket?: { readonly port: number | string };
  readonly grpc?: { readonly port: number };
  readonly exec?: { readonly command?: readonly string[] };
  /** Defaults of the API: 0, 10, 1, 1, 3. */
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
}
export interface Toleration {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal';
  readonly value?: string;
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  readonly tolerationSeconds?: number;
}
export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly minDomains?: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  readonly labelSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  /** `Honor` if absent. */
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore';
  /** `Ignore` if absent. */
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore';
}
export interface Affinity {
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
    };
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
      readonly weight: number;
      readonly preference: NodeSelectorTerm;
    }[];
  };
}
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly Requirement[];
  readonly matchFields?: readonly Requirement[];
}
interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}
export interface WeightedPodAffinityTerm {
  readonly weight: number;
  readonly podAffinityTerm: PodAffinityTerm;
}
export interface PodAffinityTerm {
  readonly topologyKey: string;
  readonly labelSelector?: LabelSelector;
  /** The pod's own namespace if both are absent. */
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
}
/** A node selector requirement, and an item of a NodePool's `requirements` (2.2). */
export interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt' | 'Gte' | 'Lte';
  readonly values?: readonly string[];
}
interface IngressBackend {
  readonly service?: {
    readonly name: string;
    readonly port: { readonly number?: number; readonly name?: string };
  };
}
export interface IngressSpec {
  readonly ingressClassName?: string;
  readonly defaultBackend?: IngressBackend;
  readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[];
  readonly rules?: readonly {
    readonly host?: string;
    readonly http?: {
      readonly paths: readonly {
        readonly path?: string;
        readonly pathType: 'Prefix' | 'Exact' | 'ImplementationSpecific';
        readonly backend: IngressBackend;
      }[];
    };
  }[];
}
