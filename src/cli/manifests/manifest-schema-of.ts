import * as z from 'zod';

/**
 * The schema of a kind for an audit: the members that the audit reads, as the API requires them. The message of an
 * issue says what the member must be. Other members and other kinds are not checked.
 */
export const manifestSchemaOf = (kind: unknown): z.ZodType => schemas.get(kind) ?? anyKind;

const object = <S extends z.ZodRawShape>(members: S) => z.looseObject(members, 'an object');
const list = <S extends z.ZodType>(item: S) => z.array(item, 'a list');
const text = z.string('text');
const filled = text.min(1, 'text that is not empty');
const texts = z.record(z.string(), text, 'an object');
const count = z.number('a whole number').multipleOf(1, 'a whole number').min(0, '0 or more');
const share = 'a whole number or a percentage such as 25%';
/** core/v1's IntOrString, as policy/v1 and apps/v1 take it. */
const portion = z.union([count, z.string().regex(/^\d+%$/, share)], share);
const oneOf = (...words: readonly string[]) => z.enum(words, `one of ${words.join(', ')}`);

/** The AWS load balancer controller reads these as numbers; Kubernetes stores every annotation as text. */
const digits = text.regex(/^\d+$/, 'text that is a whole number');
const annotations = object({
  'service.beta.kubernetes.io/aws-load-balancer-healthcheck-interval': digits.optional(),
  'service.beta.kubernetes.io/aws-load-balancer-healthcheck-unhealthy-threshold': digits.optional(),
}).catchall(text);
const metadata = object({ name: filled, namespace: filled.optional(), annotations: annotations.optional() });

const quantity = z.union([z.string(), z.number()], 'a quantity such as 100m or 128Mi');
const container = object({
  name: filled,
  image: filled,
  ports: list(object({})).optional(),
  args: list(text).optional(),
  readinessProbe: object({}).optional(),
  resources: object({
    requests: object({ cpu: quantity.optional(), memory: quantity.optional() }).optional(),
  }).optional(),
  lifecycle: object({
    preStop: object({
      sleep: object({ seconds: count }).optional(),
      exec: object({ command: list(text) }).optional(),
    }).optional(),
  }).optional(),
});

const nodeAffinity = object({
  requiredDuringSchedulingIgnoredDuringExecution: object({
    nodeSelectorTerms: list(object({ matchExpressions: list(object({ key: text })).optional() })),
  }).optional(),
});
const podAntiAffinity = object({
  requiredDuringSchedulingIgnoredDuringExecution: list(object({ topologyKey: text })).optional(),
});
const podSpec = object({
  containers: list(container).min(1, 'a list of one container or more'),
  terminationGracePeriodSeconds: count.optional(),
  nodeSelector: texts.optional(),
  affinity: object({ nodeAffinity: nodeAffinity.optional(), podAntiAffinity: podAntiAffinity.optional() }).optional(),
  topologySpreadConstraints: list(
    object({ topologyKey: text, whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway') }),
  ).optional(),
});

const anyKind = object({ kind: filled });
const deployment = object({
  metadata,
  spec: object({
    replicas: count.optional(),
    strategy: object({
      type: oneOf('RollingUpdate', 'Recreate').optional(),
      rollingUpdate: object({ maxUnavailable: portion.optional() }).optional(),
    }).optional(),
    template: object({ metadata: object({ labels: texts.optional() }).optional(), spec: podSpec }),
  }),
});
const service = object({
  metadata,
  spec: object({
    type: oneOf('ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName').optional(),
    externalTrafficPolicy: oneOf('Cluster', 'Local').optional(),
  }),
});
const labelSelector = object({
  matchLabels: texts.optional(),
  matchExpressions: list(
    object({ key: text, operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist'), values: list(text).optional() }),
  ).optional(),
});
const podDisruptionBudget = object({
  metadata,
  spec: object({
    minAvailable: portion.optional(),
    maxUnavailable: portion.optional(),
    selector: labelSelector.optional(),
  }),
});
const horizontalPodAutoscaler = object({
  metadata,
  spec: object({ scaleTargetRef: object({ kind: text, name: text }), minReplicas: count.optional() }),
});

const schemas: ReadonlyMap<unknown, z.ZodType> = new Map<unknown, z.ZodType>([
  ['Deployment', deployment],
  ['Service', service],
  ['Ingress', object({ metadata })],
  ['PodDisruptionBudget', podDisruptionBudget],
  ['HorizontalPodAutoscaler', horizontalPodAutoscaler],
  ['List', object({ items: list(z.unknown()).optional() })],
]);
