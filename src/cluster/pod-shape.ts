import * as z from 'zod';

/** The parts of Kubernetes' objects that several kinds have, as far as they are read here. */
export const text = z.string().optional();
export const number = z.number().optional();
export const flag = z.boolean().optional();
export const texts = z.array(z.string()).optional();
export const map = z.record(z.string(), z.string()).optional();
export const countOrShare = z.union([z.number(), z.string()]).optional();
/** An object with these members, and any others. */
export const part = z.looseObject;
export const some = <S extends z.ZodType>(shape: S) => z.array(shape).optional();

/** A name as a segment of a path (kubernetes: apimachinery/pkg/api/validation/path). */
const name = z.string().regex(/^(?!\.\.?$)[^/%]+$/);

export const metadata = part({
  name,
  namespace: name.optional(),
  labels: map,
  annotations: map,
  uid: text,
  resourceVersion: text,
  generation: number,
  creationTimestamp: text,
  deletionTimestamp: text,
  finalizers: texts,
  ownerReferences: some(part({ kind: z.string(), name: z.string(), uid: z.string(), controller: flag })),
  managedFields: some(part({ manager: text, operation: text, subresource: text })),
});
export const conditions = some(
  part({ type: z.string(), status: z.string(), reason: text, message: text, lastTransitionTime: text }),
);
const requirement = part({ key: z.string(), operator: z.string(), values: texts });
export const requirements = some(requirement);
export const selector = part({ matchLabels: map, matchExpressions: requirements });
export const taints = some(part({ key: z.string(), value: text, effect: z.string() }));
export const nodeTerms = z.array(part({ matchExpressions: requirements, matchFields: requirements }));

const port = z.union([z.number(), z.string()]);
const probe = part({
  httpGet: part({ path: text, port }).optional(),
  tcpSocket: part({ port }).optional(),
  grpc: part({ port: z.number() }).optional(),
  exec: part({ command: texts }).optional(),
  initialDelaySeconds: number,
  periodSeconds: number,
  timeoutSeconds: number,
  successThreshold: number,
  failureThreshold: number,
}).optional();
const container = part({
  name: z.string(),
  image: text,
  ports: some(part({ name: text, containerPort: z.number() })),
  resources: part({ requests: map, limits: map }).optional(),
  readinessProbe: probe,
  livenessProbe: probe,
  startupProbe: probe,
  lifecycle: part({
    preStop: part({
      sleep: part({ seconds: z.number() }).optional(),
      exec: part({ command: texts }).optional(),
      httpGet: part({ port }).optional(),
    }).optional(),
  }).optional(),
  command: texts,
  args: texts,
  env: some(part({ name: z.string(), value: text })),
});
const podTerm = part({
  topologyKey: z.string(),
  labelSelector: selector.optional(),
  namespaces: texts,
  namespaceSelector: selector.optional(),
});
const podAffinity = part({
  requiredDuringSchedulingIgnoredDuringExecution: some(podTerm),
  preferredDuringSchedulingIgnoredDuringExecution: some(part({ weight: z.number(), podAffinityTerm: podTerm })),
}).optional();

export const podSpec = part({
  containers: z.array(container),
  initContainers: some(container),
  overhead: map,
  nodeName: text,
  nodeSelector: map,
  affinity: part({
    podAffinity,
    podAntiAffinity: podAffinity,
    nodeAffinity: part({
      requiredDuringSchedulingIgnoredDuringExecution: part({ nodeSelectorTerms: nodeTerms }).optional(),
    }).optional(),
  }).optional(),
  tolerations: some(part({ key: text, operator: text, value: text, effect: text })),
  topologySpreadConstraints: some(
    part({
      maxSkew: z.number(),
      topologyKey: z.string(),
      whenUnsatisfiable: z.string(),
      labelSelector: selector.optional(),
      matchLabelKeys: texts,
    }),
  ),
  readinessGates: some(part({ conditionType: z.string() })),
  terminationGracePeriodSeconds: number,
  volumes: some(part({ name: z.string(), persistentVolumeClaim: part({ claimName: z.string() }).optional() })),
});
export const template = part({
  metadata: part({ labels: map, annotations: map }).optional(),
  spec: podSpec,
});

const ended = part({ exitCode: z.number(), reason: text, finishedAt: text, message: text }).optional();
const containerStatus = part({
  name: z.string(),
  ready: z.boolean(),
  restartCount: z.number(),
  started: flag,
  state: part({
    waiting: part({ reason: text, message: text }).optional(),
    running: part({ startedAt: text }).optional(),
    terminated: ended,
  }).optional(),
  lastState: part({ terminated: ended }).optional(),
});
export const podStatus = part({
  phase: text,
  conditions,
  podIP: text,
  hostIP: text,
  startTime: text,
  containerStatuses: some(containerStatus),
  initContainerStatuses: some(containerStatus),
}).optional();
