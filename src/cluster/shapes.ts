import * as z from 'zod';
import { autoscalerShapes } from './autoscaler-shapes.ts';
import type { Kind } from './kinds.ts';
import {
  conditions,
  countOrShare,
  flag,
  map,
  metadata,
  nodeTerms,
  number,
  part,
  podSpec,
  podStatus,
  selector,
  some,
  taints,
  template,
  text,
  texts,
} from './pod-shape.ts';

const loadBalancer = part({ ingress: some(part({ hostname: text, ip: text })) }).optional();
const backend = part({
  service: part({ name: z.string(), port: part({ number, name: text }).optional() }).optional(),
}).optional();
const workload = part({ replicas: number, minReadySeconds: number, selector, template });
const progress = part({
  observedGeneration: number,
  replicas: number,
  readyReplicas: number,
  availableReplicas: number,
  updatedReplicas: number,
  conditions,
}).optional();
const jobSpec = part({
  parallelism: number,
  completions: number,
  backoffLimit: number,
  suspend: flag,
  selector: selector.optional(),
  template,
});
const rules = part({ selectPolicy: text, stabilizationWindowSeconds: number }).optional();
const metric = part({ type: z.string(), resource: part({ name: z.string() }).optional() });

/** The members beside `metadata`, by kind. */
const members: { readonly [K in Kind]: z.core.$ZodShape } = {
  ...autoscalerShapes,
  ControllerRevision: { revision: z.number() },
  CronJob: { spec: part({ schedule: z.string(), suspend: flag, jobTemplate: part({ spec: jobSpec }) }) },
  DaemonSet: {
    spec: part({ selector, template, minReadySeconds: number }),
    status: part({
      observedGeneration: number,
      desiredNumberScheduled: number,
      currentNumberScheduled: number,
      updatedNumberScheduled: number,
      numberReady: number,
      numberAvailable: number,
    }).optional(),
  },
  Deployment: {
    spec: workload.extend({
      paused: flag,
      progressDeadlineSeconds: number,
      strategy: part({
        type: text,
        rollingUpdate: part({ maxUnavailable: countOrShare, maxSurge: countOrShare }).optional(),
      }).optional(),
    }),
    status: progress,
  },
  EndpointSlice: {
    endpoints: z
      .array(
        part({
          addresses: z.array(z.string()),
          conditions: part({ ready: flag, serving: flag, terminating: flag }).optional(),
          nodeName: text,
          zone: text,
          targetRef: part({ kind: text, name: text, namespace: text, uid: text }).optional(),
        }),
      )
      .nullish(),
    ports: some(part({ name: text, port: number })),
  },
  Event: {
    involvedObject: part({ kind: text, namespace: text, name: text, uid: text }),
    type: text,
    reason: text,
    message: text,
    firstTimestamp: text,
    lastTimestamp: text,
    count: number,
    source: part({ component: text }).optional(),
  },
  HorizontalPodAutoscaler: {
    spec: part({
      scaleTargetRef: part({ kind: z.string(), name: z.string() }),
      minReplicas: number,
      maxReplicas: z.number(),
      metrics: some(metric),
      behavior: part({ scaleUp: rules, scaleDown: rules }).optional(),
    }),
    status: part({
      currentReplicas: number,
      desiredReplicas: number,
      currentMetrics: some(metric),
      conditions,
    }).optional(),
  },
  Ingress: {
    spec: part({
      ingressClassName: text,
      defaultBackend: backend,
      tls: some(part({ hosts: texts, secretName: text })),
      rules: some(
        part({
          host: text,
          http: part({ paths: z.array(part({ path: text, pathType: text, backend })) }).optional(),
        }),
      ),
    }),
    status: part({ loadBalancer }).optional(),
  },
  Job: {
    spec: jobSpec,
    status: part({ active: number, ready: number, succeeded: number, failed: number, conditions }).optional(),
  },
  Lease: {
    spec: part({
      holderIdentity: text,
      leaseDurationSeconds: number,
      acquireTime: text,
      renewTime: text,
      leaseTransitions: number,
    }),
  },
  Namespace: { status: part({ phase: text, conditions }).optional() },
  Node: {
    spec: part({ providerID: text, unschedulable: flag, taints }).optional(),
    status: part({
      conditions,
      capacity: map,
      allocatable: map,
      addresses: some(part({ type: z.string(), address: z.string() })),
      nodeInfo: part({ architecture: text, operatingSystem: text, kubeletVersion: text }).optional(),
      volumesInUse: texts,
    }).optional(),
  },
  PersistentVolume: {
    spec: part({
      capacity: map,
      accessModes: texts,
      claimRef: part({ namespace: text, name: text, uid: text }).optional(),
      nodeAffinity: part({ required: part({ nodeSelectorTerms: nodeTerms }).optional() }).optional(),
    }),
    status: part({ phase: text }).optional(),
  },
  PersistentVolumeClaim: {
    spec: part({ accessModes: texts, storageClassName: text, volumeName: text }),
    status: part({ phase: text }).optional(),
  },
  Pod: { spec: podSpec, status: podStatus },
  PodDisruptionBudget: {
    spec: part({ minAvailable: countOrShare, maxUnavailable: countOrShare, selector: selector.optional() }),
    status: part({
      observedGeneration: number,
      disruptionsAllowed: z.number(),
      currentHealthy: z.number(),
      desiredHealthy: z.number(),
      expectedPods: z.number(),
      conditions,
    }).optional(),
  },
  PodMetrics: {
    timestamp: z.string(),
    window: z.string(),
    containers: z.array(part({ name: z.string(), usage: map.unwrap() })),
  },
  ReplicaSet: { spec: workload, status: progress },
  ResourceQuota: { spec: part({ hard: map }).optional() },
  SelfSubjectAccessReview: { status: part({ allowed: z.boolean(), reason: text }).optional() },
  Service: {
    spec: part({
      type: text,
      selector: map,
      ports: some(part({ name: text, port: z.number(), targetPort: countOrShare, nodePort: number, protocol: text })),
      clusterIP: text,
      externalTrafficPolicy: text,
      loadBalancerClass: text,
    }),
    status: part({ loadBalancer }).optional(),
  },
  StatefulSet: {
    spec: workload.extend({
      serviceName: text,
      podManagementPolicy: text,
      volumeClaimTemplates: some(part({ metadata: part({ name: z.string() }) })),
    }),
    status: progress,
  },
  StorageClass: { provisioner: z.string(), volumeBindingMode: text },
  VolumeAttachment: {
    spec: part({ attacher: text, nodeName: z.string(), source: part({ persistentVolumeName: text }) }),
    status: part({ attached: z.boolean() }).optional(),
  },
};

const withMetadata = (more: z.core.$ZodShape): z.ZodType =>
  part({ metadata, apiVersion: text, kind: text, spec: part({}).optional(), status: part({}).optional(), ...more });
const shapes: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(Object.entries(members).map(([kind, more]) => [kind, withMetadata(more)])),
  // A review is no stored object, and has no name.
  SelfSubjectAccessReview: part(members.SelfSubjectAccessReview),
  // The answer of the subresource `scale`.
  Scale: withMetadata({ spec: part({ replicas: number }).optional() }),
};
const anyShape = withMetadata({});

/** What every reader takes for granted of an object of the kind: of one that is not known here, its metadata. */
export const objectShape = (kind: string): z.ZodType =>
  (Object.hasOwn(shapes, kind) ? shapes[kind] : undefined) ?? anyShape;
