import type { NodePool } from '../../src/kubernetes/autoscaler.ts';
import type {
  DaemonSet,
  Deployment,
  Ingress,
  Node,
  Pod,
  PodDisruptionBudget,
  Service,
} from '../../src/kubernetes/resources.ts';
import type { PodSpec } from '../../src/kubernetes/specs.ts';

const labels = { app: 'nginx-test' };
const at = { name: 'nginx-test', namespace: 'default' };

/** A node that is Ready, with two cores. */
export function node(
  name: string,
  over: { labels?: Record<string, string>; spec?: Node['spec']; ready?: boolean } = {},
): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...over.labels } },
    ...(over.spec === undefined ? {} : { spec: over.spec }),
    status: {
      allocatable: { cpu: '1940m', memory: '14Gi', pods: '29' },
      conditions: [{ type: 'Ready', status: over.ready === false ? 'False' : 'True' }],
    },
  };
}

/** A pod of the application without an owner. */
export function pod(
  name: string,
  spec: Partial<PodSpec> = {},
  over: { ready?: boolean; labels?: Record<string, string> } = {},
): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: over.labels ?? labels },
    spec: { containers: [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }] }], ...spec },
    ...(over.ready === undefined
      ? {}
      : {
          status: {
            phase: 'Running',
            podIP: '10.64.1.1',
            conditions: [{ type: 'Ready', status: over.ready ? 'True' : 'False' }],
          },
        }),
  };
}

/** A pod spec that meets the requirements of 4.2. */
export const hardenedPod: PodSpec = {
  nodeSelector: { 'karpenter.sh/nodepool': 'general-purpose-arm' },
  terminationGracePeriodSeconds: 30,
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      minDomains: 2,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: labels },
    },
  ],
  containers: [
    {
      name: 'nginx',
      image: 'nginx',
      ports: [{ containerPort: 80 }],
      resources: { requests: { cpu: '100m', memory: '64Mi' } },
      readinessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 1 },
      lifecycle: { preStop: { sleep: { seconds: 10 } } },
    },
  ],
};
/** The pod of the Deployment in 2.3. */
export const plainPod: PodSpec = { containers: [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }] }] };

export function deployment(replicas: number, spec: PodSpec = plainPod): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: at,
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

export const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: at,
  spec: { type: 'ClusterIP', selector: labels, ports: [{ port: 80, targetPort: 80 }] },
};

export const ingress: Ingress = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: {
    ...at,
    annotations: {
      'kubernetes.io/ingress.class': 'nginx',
      'external-dns.alpha.kubernetes.io/hostname': 'app.example.com',
    },
  },
  spec: {
    rules: [
      {
        host: 'app.example.com',
        http: {
          paths: [
            { path: '/', pathType: 'Prefix', backend: { service: { name: 'nginx-test', port: { number: 80 } } } },
          ],
        },
      },
    ],
  },
};

export const budget: PodDisruptionBudget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'nginx-pdb', namespace: 'default' },
  spec: { minAvailable: 1, selector: { matchLabels: labels } },
};

export const daemonSet: DaemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'kube-system' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'agent', image: 'agent' }] } },
  },
};

/** The NodePool of 2.1 and 2.2. */
export const nodePool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general-purpose-arm' },
  spec: {
    template: {
      metadata: { labels: { role: 'web' } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [
          { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] },
          { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
          { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['r'] },
          { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['6'] },
        ],
        expireAfter: '720h',
      },
    },
    disruption: { budgets: [{ nodes: '10%' }], consolidateAfter: '1h', consolidationPolicy: 'WhenEmpty' },
  },
};

/** The Service of the ingress controller; its targets are the nodes with the label group=system. */
export const ingressService: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'ingress-nginx-controller',
    namespace: 'default',
    annotations: { 'service.beta.kubernetes.io/aws-load-balancer-target-node-labels': 'group=system' },
  },
  spec: { type: 'LoadBalancer', selector: { app: 'edge' }, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
};
