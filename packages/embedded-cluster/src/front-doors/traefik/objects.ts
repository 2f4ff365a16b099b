import type { Resource } from '../../kubernetes/kinds.ts';
import type { Container } from '../../kubernetes/specs.ts';
import type { Setup } from '../../setup/setup.ts';
import { proxyObjects } from '../proxy-objects.ts';

export const image = 'docker.io/traefik:v3.7.13';

/** Traefik by its chart. `mended`: it takes connections until kube-proxy knows (docs/facts/traefik.md). */
export function objects(setup: Pick<Setup, 'starting' | 'surroundings'>): readonly Resource[] {
  const isMended = setup.surroundings.ingress === 'mended';
  const accepting = isMended ? ['--entryPoints.web.transport.lifeCycle.requestAcceptGraceTimeout=5'] : [];
  const container = { ...proxy, args: [...(proxy.args ?? []), ...accepting] };
  const labels = { 'app.kubernetes.io/name': 'traefik' };
  return proxyObjects(setup, { container, graceSeconds: 60, labels, policy: 'Cluster' });
}

const probe = { httpGet: { path: '/ping', port: 8080 }, initialDelaySeconds: 2, periodSeconds: 10 };

const proxy: Container = {
  name: 'traefik',
  image,
  args: ['--entryPoints.web.address=:8000/tcp', '--providers.kubernetesingress', '--ping=true'],
  ports: [
    { name: 'http', containerPort: 8000 },
    { name: 'https', containerPort: 8443 },
  ],
  livenessProbe: { ...probe, failureThreshold: 3 },
  readinessProbe: { ...probe, failureThreshold: 1 },
  resources: { requests: { cpu: '100m', memory: '64Mi' } },
};
