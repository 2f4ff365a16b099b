import type { Resource } from '../kubernetes/kinds.ts';
import type { PodDisruptionBudget, Service } from '../kubernetes/resources.ts';
import type { Container, PodSpec } from '../kubernetes/specs.ts';
import type { Setup } from '../setup/setup.ts';
import { deployment, systemLabels } from '../setup/system-workload.ts';

/** The proxies of a front door, with what of them its project decides. */
export interface ProxyObjects {
  readonly container: Container;
  readonly graceSeconds: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Of its Service, where it is installed by its own chart. */
  readonly policy: 'Local' | 'Cluster';
  readonly more?: Partial<PodSpec>;
}

/**
 * Two proxies on different nodes behind a load balancer. `mended`: with traffic policy Cluster, a budget, and only
 * nodes that stay as targets of the load balancer, as the mended ingress-nginx.
 */
export function proxyObjects(
  { starting, surroundings }: Pick<Setup, 'starting' | 'surroundings'>,
  { container, graceSeconds, labels: own, policy }: ProxyObjects,
): readonly Resource[] {
  const { namespace, service: name, labels: selected } = surroundings.ingressController;
  const labels = { ...own, ...selected };
  const place = { namespace, name };
  const isMended = surroundings.ingress === 'mended';
  const isLocal = !isMended && policy === 'Local' && starting.ingressType === 'LoadBalancer';
  const service: Service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...place, labels, annotations: isMended ? systemTargets : {} },
    spec: {
      type: starting.ingressType,
      ...(isLocal && { externalTrafficPolicy: 'Local' }),
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
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } as const;
  const more = { terminationGracePeriodSeconds: graceSeconds };
  return [
    deployment({ ...place, replicas: starting.ingressReplicas, labels, container, more, strategy }),
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
