import { conditions, type Fields, labelSelector, metadata, scalars, templateMetadata } from './kept-fields.ts';
import { nodeSelectorTerms, pod } from './pod-fields.ts';
import { claimSpec, type KeptKind, workloadKinds } from './workload-fields.ts';

const taints = scalars('key', 'value', 'effect', 'timeAdded');
const requirements = scalars('key', 'operator', 'values', 'minValues');
const nodeClassRef = scalars('group', 'kind', 'name');
const objectReference = scalars('kind', 'namespace', 'name', 'uid');
const backend = { service: { name: 'scalar', port: scalars('number', 'name') } } as const satisfies Fields;
const target = scalars('type', 'averageUtilization', 'averageValue', 'value');

const node: Fields = {
  metadata,
  spec: { ...scalars('providerID', 'unschedulable'), taints },
  status: {
    capacity: 'map',
    allocatable: 'map',
    conditions,
    addresses: scalars('type', 'address'),
    nodeInfo: scalars('architecture', 'operatingSystem', 'kubeletVersion', 'osImage', 'containerRuntimeVersion'),
    images: { names: 'scalar' },
    volumesInUse: 'scalar',
  },
};

const nodePool: Fields = {
  metadata,
  spec: {
    template: {
      metadata: templateMetadata,
      spec: {
        ...scalars('expireAfter', 'terminationGracePeriod'),
        nodeClassRef,
        requirements,
        taints,
        startupTaints: taints,
      },
    },
    disruption: {
      ...scalars('consolidateAfter', 'consolidationPolicy'),
      budgets: scalars('nodes', 'reasons', 'schedule', 'duration'),
    },
    limits: 'map',
    weight: 'scalar',
  },
  status: { nodeClassObservedGeneration: 'scalar', nodes: 'scalar', resources: 'map', conditions },
};

const nodeClaim: Fields = {
  metadata,
  spec: {
    ...scalars('expireAfter', 'terminationGracePeriod'),
    nodeClassRef,
    requirements,
    resources: { requests: 'map' },
    taints,
    startupTaints: taints,
  },
  status: {
    ...scalars('nodeName', 'providerID', 'imageID', 'lastPodEventTime'),
    capacity: 'map',
    allocatable: 'map',
    conditions,
  },
};

const service: Fields = {
  metadata,
  spec: {
    ...scalars('type', 'clusterIP', 'externalTrafficPolicy', 'loadBalancerClass', 'publishNotReadyAddresses'),
    selector: 'map',
    ports: scalars('name', 'port', 'targetPort', 'nodePort', 'protocol'),
  },
};

const endpointSlice: Fields = {
  metadata,
  addressType: 'scalar',
  endpoints: {
    ...scalars('addresses', 'nodeName', 'zone'),
    conditions: scalars('ready', 'serving', 'terminating'),
    targetRef: objectReference,
  },
  ports: scalars('name', 'port', 'protocol'),
};

const ingress: Fields = {
  metadata,
  spec: {
    ingressClassName: 'scalar',
    defaultBackend: backend,
    tls: { hosts: 'scalar' },
    rules: { host: 'scalar', http: { paths: { ...scalars('path', 'pathType'), backend } } },
  },
};

const horizontalPodAutoscaler: Fields = {
  metadata,
  spec: {
    ...scalars('minReplicas', 'maxReplicas'),
    scaleTargetRef: scalars('apiVersion', 'kind', 'name'),
    metrics: {
      type: 'scalar',
      resource: { name: 'scalar', target },
      containerResource: { ...scalars('name', 'container'), target },
    },
  },
  status: { ...scalars('currentReplicas', 'desiredReplicas', 'lastScaleTime'), conditions },
};

const budget: Fields = {
  metadata,
  spec: { ...scalars('minAvailable', 'maxUnavailable', 'unhealthyPodEvictionPolicy'), selector: labelSelector },
  status: scalars('observedGeneration', 'disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'),
};

const volume: Fields = {
  metadata,
  spec: {
    ...scalars('accessModes', 'persistentVolumeReclaimPolicy', 'storageClassName', 'volumeMode'),
    capacity: 'map',
    claimRef: { apiVersion: 'scalar', ...objectReference },
    csi: scalars('driver', 'volumeHandle', 'fsType'),
    nodeAffinity: { required: { nodeSelectorTerms } },
  },
  status: { phase: 'scalar' },
};

const storageClass: Fields = {
  metadata,
  ...scalars('provisioner', 'reclaimPolicy', 'volumeBindingMode', 'allowVolumeExpansion'),
  allowedTopologies: { matchLabelExpressions: scalars('key', 'values') },
};

const core = (plural: string, fields: Fields): KeptKind => ({ apiVersion: 'v1', plural, fields });
const inGroup = (apiVersion: string, plural: string, fields: Fields): KeptKind => ({ apiVersion, plural, fields });

/** The kinds without a namespace. */
export const clusterScoped: ReadonlySet<string> = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'PriorityClass',
  'StorageClass',
  'VolumeAttachment',
  'NodePool',
  'NodeClaim',
  'EC2NodeClass',
]);

/**
 * Every kind that a copy has, and every field of it: what is not here is in no copy. There is no Secret and no
 * ConfigMap, no environment, no command but one that only sleeps, and no annotation that is not named.
 */
export const keptKinds: Readonly<Record<string, KeptKind>> = {
  Namespace: core('namespaces', { metadata, status: { phase: 'scalar' } }),
  Node: core('nodes', node),
  Pod: core('pods', pod),
  Service: core('services', service),
  PersistentVolume: core('persistentvolumes', volume),
  PersistentVolumeClaim: core('persistentvolumeclaims', {
    metadata,
    spec: claimSpec,
    status: { ...scalars('phase', 'accessModes'), capacity: 'map' },
  }),
  ResourceQuota: core('resourcequotas', { metadata, spec: { hard: 'map' }, status: { hard: 'map', used: 'map' } }),
  LimitRange: core('limitranges', {
    metadata,
    spec: {
      limits: { type: 'scalar', max: 'map', min: 'map', default: 'map', defaultRequest: 'map' },
    },
  }),
  ...workloadKinds,
  PodDisruptionBudget: inGroup('policy/v1', 'poddisruptionbudgets', budget),
  HorizontalPodAutoscaler: inGroup('autoscaling/v2', 'horizontalpodautoscalers', horizontalPodAutoscaler),
  EndpointSlice: inGroup('discovery.k8s.io/v1', 'endpointslices', endpointSlice),
  Ingress: inGroup('networking.k8s.io/v1', 'ingresses', ingress),
  Gateway: inGroup('gateway.networking.k8s.io/v1', 'gateways', {
    metadata,
    spec: { gatewayClassName: 'scalar', listeners: scalars('name', 'hostname', 'port', 'protocol') },
  }),
  HTTPRoute: inGroup('gateway.networking.k8s.io/v1', 'httproutes', {
    metadata,
    spec: {
      hostnames: 'scalar',
      parentRefs: scalars('kind', 'namespace', 'name'),
      rules: { backendRefs: scalars('kind', 'namespace', 'name', 'port', 'weight') },
    },
  }),
  PriorityClass: inGroup('scheduling.k8s.io/v1', 'priorityclasses', {
    metadata,
    ...scalars('value', 'globalDefault', 'preemptionPolicy'),
  }),
  StorageClass: inGroup('storage.k8s.io/v1', 'storageclasses', storageClass),
  VolumeAttachment: inGroup('storage.k8s.io/v1', 'volumeattachments', {
    metadata,
    spec: { ...scalars('attacher', 'nodeName'), source: { persistentVolumeName: 'scalar' } },
    status: { attached: 'scalar' },
  }),
  Lease: inGroup('coordination.k8s.io/v1', 'leases', {
    metadata,
    spec: scalars('holderIdentity', 'leaseDurationSeconds', 'acquireTime', 'renewTime', 'leaseTransitions'),
  }),
  NodePool: inGroup('karpenter.sh/v1', 'nodepools', nodePool),
  NodeClaim: inGroup('karpenter.sh/v1', 'nodeclaims', nodeClaim),
  EC2NodeClass: inGroup('karpenter.k8s.aws/v1', 'ec2nodeclasses', {
    metadata,
    spec: { amiSelectorTerms: { alias: 'scalar' } },
    status: { conditions },
  }),
};
