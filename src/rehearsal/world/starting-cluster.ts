import type { NodeClass } from '../../cluster/autoscaler.ts';
import type { Resource } from '../../cluster/kinds.ts';
import type { DaemonSet, Deployment, PodDisruptionBudget, Service } from '../../cluster/resources.ts';
import type { Container, PodSpec } from '../../cluster/specs.ts';
import { initialNamespaces } from '../api-server/api-server.ts';
import type { Setup, Starting } from '../setup/setup.ts';
import type { Surroundings } from '../setup/surroundings.ts';

/** The managed node group that runs every component except the application. */
export const systemLabels = { 'eks.amazonaws.com/nodegroup': 'system' };
const systemTaint = { key: 'CriticalAddonsOnly', value: 'true', effect: 'NoSchedule' } as const;
export const systemNodes = { count: 3, type: 'm8g.large', taints: [systemTaint] } as const;

const images = {
  ingress: 'registry.k8s.io/ingress-nginx/controller:v1.14.0',
  karpenter: 'public.ecr.aws/karpenter/controller:1.8.2',
  externalDns: 'registry.k8s.io/external-dns/external-dns:v0.20.0',
  coredns: '602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/coredns:v1.12.4',
  kubeProxy: '602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/kube-proxy:v1.34.1',
  cni: '602401143452.dkr.ecr.us-east-1.amazonaws.com/amazon-k8s-cni:v1.20.4',
} as const;

/** The images that the first machines have on their disks. */
export const systemImages: readonly string[] = Object.values(images);

/** The components that are installed before a validation: nothing of the application, and no NodePool. */
export function startingCluster({
  starting,
  surroundings,
}: Pick<Setup, 'starting' | 'surroundings'>): readonly Resource[] {
  const { autoscaler, dnsAutomation } = surroundings;
  return [
    ...namespacesOf(surroundings),
    daemonSet('kube-proxy', images.kubeProxy),
    daemonSet('aws-node', images.cni),
    deployment({
      namespace: 'kube-system',
      name: 'coredns',
      replicas: 2,
      labels: { 'k8s-app': 'kube-dns' },
      container: coredns,
    }),
    deployment({
      namespace: autoscaler.namespace,
      name: 'karpenter',
      replicas: starting.autoscalerReplicas,
      labels: { ...nameLabel('karpenter'), ...autoscaler.labels },
      container: karpenter(starting.interruptionQueue),
    }),
    nodeClass(surroundings.nodeClass),
    deployment({
      namespace: dnsAutomation.namespace,
      name: 'external-dns',
      replicas: starting.dnsAutomationReplicas,
      labels: { ...nameLabel('external-dns'), ...dnsAutomation.labels },
      container: externalDns,
    }),
    ...ingressController(starting, surroundings),
    ...starting.more,
  ];
}

function namespacesOf({ namespace, ingressController, dnsAutomation, autoscaler }: Surroundings): readonly Resource[] {
  const names = new Set([ingressController, dnsAutomation, autoscaler, { namespace }].map((one) => one.namespace));
  return [...names]
    .filter((name) => !initialNamespaces.includes(name))
    .map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
}

const nameLabel = (name: string) => ({ 'app.kubernetes.io/name': name });

const coredns: Container = {
  name: 'coredns',
  image: images.coredns,
  ports: [{ name: 'dns', containerPort: 53, protocol: 'UDP' }],
  resources: { requests: { cpu: '100m', memory: '70Mi' } },
};
const externalDns: Container = {
  name: 'external-dns',
  image: images.externalDns,
  args: [
    '--source=ingress',
    '--provider=aws',
    '--aws-prefer-cname',
    '--registry=txt',
    '--policy=sync',
    '--interval=1m',
  ],
  resources: { requests: { cpu: '50m', memory: '64Mi' } },
};
const karpenter = (hasQueue: boolean): Container => ({
  name: 'controller',
  image: images.karpenter,
  env: [{ name: 'INTERRUPTION_QUEUE', value: hasQueue ? 'rehearsal' : '' }],
  resources: { requests: { cpu: '250m', memory: '512Mi' } },
});
const nodeClass = (name: string): NodeClass => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name },
  spec: { role: 'KarpenterNodeRole-rehearsal', amiSelectorTerms: [{ alias: 'al2023@v20251120' }] },
});

interface Workload {
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly container: Container;
  readonly more?: Partial<PodSpec>;
}

/** A Deployment on the system nodes, whose replicas are spread evenly over them. */
function deployment({ namespace, name, replicas, labels, container, more }: Workload): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [container],
          nodeSelector: systemLabels,
          tolerations: [{ key: systemTaint.key, operator: 'Exists' }],
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: labels },
            },
          ],
          ...more,
        },
      },
    },
  };
}

function daemonSet(name: string, image: string): DaemonSet {
  const labels = { 'k8s-app': name };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace: 'kube-system', name, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name, image, resources: { requests: { cpu: '50m', memory: '64Mi' } } }],
          hostNetwork: true,
          priorityClassName: 'system-node-critical',
          tolerations: [{ operator: 'Exists' }],
        },
      },
    },
  };
}

/**
 * ingress-nginx set up for availability: replicas on different nodes, and a `--shutdown-grace-period` in which a terminating
 * controller serves on until every kube-proxy has removed its endpoint. The default of 0 cuts requests
 * (`docs/facts/ingress-nginx.md`, "Ending a controller").
 */
function ingressController(
  { ingressReplicas: replicas, ingressType: type }: Starting,
  { ingressController: { namespace, service: name, labels: own } }: Surroundings,
): readonly Resource[] {
  const labels = { ...nameLabel('ingress-nginx'), ...own };
  const place = { namespace, name };
  const container: Container = {
    name: 'controller',
    image: images.ingress,
    args: ['/nginx-ingress-controller', `--publish-service=${namespace}/${name}`, '--shutdown-grace-period=5'],
    ports: [
      { name: 'http', containerPort: 80 },
      { name: 'https', containerPort: 443 },
      { name: 'health', containerPort: 10254 },
    ],
    readinessProbe: {
      httpGet: { path: '/healthz', port: 10254 },
      initialDelaySeconds: 10,
      periodSeconds: 10,
      failureThreshold: 3,
    },
    resources: { requests: { cpu: '100m', memory: '90Mi' } },
  };
  const service: Service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...place,
      labels,
      annotations: {
        'service.beta.kubernetes.io/aws-load-balancer-target-node-labels': Object.entries(systemLabels)
          .map((pair) => pair.join('='))
          .join(','),
      },
    },
    spec: {
      type,
      selector: labels,
      ports: [
        { name: 'http', port: 80, targetPort: 'http' },
        { name: 'https', port: 443, targetPort: 'https' },
      ],
    },
  };
  const budget: PodDisruptionBudget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { ...place, labels },
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  };
  const more = { terminationGracePeriodSeconds: 300 };
  return [deployment({ ...place, replicas, labels, container, more }), service, budget];
}
