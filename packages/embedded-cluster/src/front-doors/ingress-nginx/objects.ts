import type { Resource } from '../../kubernetes/kinds.ts';
import type { PodDisruptionBudget, Service } from '../../kubernetes/resources.ts';
import type { Container, ContainerProbe } from '../../kubernetes/specs.ts';
import type { Starting } from '../../setup/setup.ts';
import type { Surroundings } from '../../setup/surroundings.ts';
import { deployment, nameLabel, systemLabels } from '../../setup/system-workload.ts';

export const ingressImage = 'registry.k8s.io/ingress-nginx/controller:v1.15.1';

/**
 * ingress-nginx by its own manifest for AWS (deploy/static/provider/aws/deploy.yaml), with replicas on different nodes.
 * `mended`: changed so that its replacement costs no request, by traffic policy Cluster, a `--shutdown-grace-period`
 * that outlasts kube-proxy, and a budget (`docs/facts/ingress-nginx.md`, "Ending a controller").
 */
export function ingressController(
  { ingressReplicas: replicas, ingressType }: Starting,
  { ingress: manifest, ingressController: { namespace, service: name, labels: own } }: Surroundings,
): readonly Resource[] {
  const labels = { ...nameLabel('ingress-nginx'), ...own };
  const place = { namespace, name };
  const isMended = manifest === 'mended';
  const container = containerOf(`${namespace}/${name}`, isMended ? ['--shutdown-grace-period=5'] : []);
  const more = { terminationGracePeriodSeconds: 300 };
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } as const;
  const service: Service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...place, labels, annotations: isMended ? systemTargets : {} },
    spec: {
      type: ingressType,
      ...(ingressType === 'LoadBalancer' && !isMended ? { externalTrafficPolicy: 'Local' } : {}),
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
  return [
    deployment({ ...place, replicas, labels, container, more, strategy }),
    service,
    ...(isMended ? [budget] : []),
  ];
}

/** Only the system nodes are targets, which live longer than the application's. */
const systemTargets = {
  'service.beta.kubernetes.io/aws-load-balancer-target-node-labels': Object.entries(systemLabels)
    .map((pair) => pair.join('='))
    .join(','),
};

const probe = (failureThreshold: number): ContainerProbe => ({
  httpGet: { path: '/healthz', port: 10254 },
  initialDelaySeconds: 10,
  periodSeconds: 10,
  failureThreshold,
});

const containerOf = (published: string, more: readonly string[]): Container => ({
  name: 'controller',
  image: ingressImage,
  args: [
    '/nginx-ingress-controller',
    `--publish-service=${published}`,
    '--election-id=ingress-nginx-leader',
    '--controller-class=k8s.io/ingress-nginx',
    '--ingress-class=nginx',
    ...more,
  ],
  lifecycle: { preStop: { exec: { command: ['/wait-shutdown'] } } },
  ports: [
    { name: 'http', containerPort: 80 },
    { name: 'https', containerPort: 443 },
  ],
  livenessProbe: probe(5),
  readinessProbe: probe(3),
  resources: { requests: { cpu: '100m', memory: '90Mi' } },
});
