import { initialNamespaces } from '../api-server/initial-objects.ts';
import { frontDoors } from '../front-doors/index.ts';
import type { NodeClass } from '../kubernetes/autoscaler.ts';
import type { Resource } from '../kubernetes/kinds.ts';
import type { DaemonSet } from '../kubernetes/resources.ts';
import type { Container } from '../kubernetes/specs.ts';
import type { Setup } from '../setup/setup.ts';
import type { Surroundings } from '../setup/surroundings.ts';
import { deployment, nameLabel, systemTaint } from '../setup/system-workload.ts';

/** Where there is no Karpenter: room for five replicas while one node is drained. */
export const managedNodes = { count: 3, type: 'r8g.xlarge' } as const;

export const systemNodes = { count: 3, type: 'm8g.large', taints: [systemTaint] } as const;

const images = {
  karpenter: 'public.ecr.aws/karpenter/controller:1.8.2',
  externalDns: 'registry.k8s.io/external-dns/external-dns:v0.20.0',
  coredns: '602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/coredns:v1.12.4',
  kubeProxy: '602401143452.dkr.ecr.us-east-1.amazonaws.com/eks/kube-proxy:v1.34.1',
  cni: '602401143452.dkr.ecr.us-east-1.amazonaws.com/amazon-k8s-cni:v1.20.4',
} as const;

/** The images that the first machines have on their disks. */
export const imagesOf = ({ surroundings }: Pick<Setup, 'surroundings'>): readonly string[] => [
  ...frontDoors[surroundings.frontDoor].images,
  ...Object.values(images),
];

/** The components that are installed before a validation: nothing of the application, and no NodePool. */
export function startingCluster({
  starting,
  surroundings,
}: Pick<Setup, 'starting' | 'surroundings'>): readonly Resource[] {
  const { dnsAutomation } = surroundings;
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
    ...(surroundings.nodeGroup === undefined ? autoscalerObjects(starting, surroundings) : []),
    deployment({
      namespace: dnsAutomation.namespace,
      name: 'external-dns',
      replicas: starting.dnsAutomationReplicas,
      labels: { ...nameLabel('external-dns'), ...dnsAutomation.labels },
      container: externalDns,
    }),
    ...frontDoors[surroundings.frontDoor].objects({ starting, surroundings }),
    ...starting.more,
  ];
}

function autoscalerObjects(
  starting: Setup['starting'],
  { autoscaler, interruptionQueue, nodeClass: name }: Surroundings,
) {
  return [
    deployment({
      namespace: autoscaler.namespace,
      name: 'karpenter',
      replicas: starting.autoscalerReplicas,
      labels: { ...nameLabel('karpenter'), ...autoscaler.labels },
      container: karpenter(interruptionQueue),
    }),
    nodeClass(name),
  ];
}

function namespacesOf({ namespace, ingressController, dnsAutomation, autoscaler }: Surroundings): readonly Resource[] {
  const names = new Set([ingressController, dnsAutomation, autoscaler, { namespace }].map((one) => one.namespace));
  return [...names]
    .filter((name) => !initialNamespaces.includes(name))
    .map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
}

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
