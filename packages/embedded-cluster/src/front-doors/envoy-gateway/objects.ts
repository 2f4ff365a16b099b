import type { Resource } from '../../kubernetes/kinds.ts';
import type { Container } from '../../kubernetes/specs.ts';
import type { Setup } from '../../setup/setup.ts';
import { deployment } from '../../setup/system-workload.ts';
import { proxyObjects } from '../proxy-objects.ts';

export const images = ['docker.io/envoyproxy/envoy:distroless-v1.40.0', 'docker.io/envoyproxy/gateway:v1.9.1'] as const;

/** Envoy Gateway by its chart: a control plane, and the proxies that it makes for a Gateway (docs/front-doors.md). */
export const objects = (setup: Pick<Setup, 'starting' | 'surroundings'>): readonly Resource[] => [
  ...proxyObjects(setup, { container: proxy, graceSeconds: 360, labels: proxyLabels, policy: 'Local' }),
  deployment({
    namespace: setup.surroundings.ingressController.namespace,
    name: 'envoy-gateway',
    replicas: setup.surroundings.ingress === 'mended' ? 2 : 1,
    labels: { 'control-plane': 'envoy-gateway' },
    container: controlPlane,
  }),
];

const proxyLabels = { 'app.kubernetes.io/name': 'envoy', 'app.kubernetes.io/component': 'proxy' };

/** The hook waits until connections have ended, at least 10 s; the readiness probe fails from its start on. */
const proxy: Container = {
  name: 'envoy',
  image: images[0],
  lifecycle: { preStop: { httpGet: { path: '/shutdown/ready', port: 19_002 } } },
  ports: [
    { name: 'http', containerPort: 10_080 },
    { name: 'https', containerPort: 10_443 },
  ],
  readinessProbe: { httpGet: { path: '/ready', port: 19_003 }, periodSeconds: 5, failureThreshold: 1 },
  resources: { requests: { cpu: '100m', memory: '512Mi' } },
};

const controlPlane: Container = {
  name: 'envoy-gateway',
  image: images[1],
  args: ['server', '--config-path=/config/envoy-gateway.yaml'],
  ports: [{ name: 'grpc', containerPort: 18_000 }],
  readinessProbe: { httpGet: { path: '/readyz', port: 8081 }, initialDelaySeconds: 5, periodSeconds: 10 },
  resources: { requests: { cpu: '100m', memory: '256Mi' } },
};
