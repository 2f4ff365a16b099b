import type { Resource } from '../../src/cluster/kinds.ts';

/** Somebody's own manifests, labelled and named in people's usual way: no name is that of the specification. */
export const objects = (): readonly Resource[] => [deployment(), service(), ingress()];

const label = 'app.kubernetes.io/name';

export const deployment = (name = 'shop-web', app = 'shop', podSpec: object = {}): Resource =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 2,
      selector: { matchLabels: { [label]: app } },
      template: { metadata: { labels: { [label]: app } }, spec: { containers: [container], ...podSpec } },
    },
  }) as unknown as Resource;

export const container = {
  name: 'web',
  image: 'ghcr.io/acme/shop:1.4.2',
  ports: [{ name: 'http', containerPort: 8080 }],
  readinessProbe: { httpGet: { path: '/healthz', port: 'http' } },
  resources: { requests: { cpu: '200m', memory: '128Mi' } },
};

export const service = (name = 'shop', app = 'shop'): Resource =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { [label]: app }, ports: [{ port: 80, targetPort: 'http' }] },
  }) as unknown as Resource;

const toShop = { path: '/', pathType: 'Prefix', backend: { service: { name: 'shop', port: { number: 80 } } } };

export const ingress = (spec: object = {}, annotations: Readonly<Record<string, string>> = {}): Resource =>
  ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'front', annotations },
    spec: { ingressClassName: 'nginx', rules: [{ host: 'shop.example.com', http: { paths: [toShop] } }], ...spec },
  }) as unknown as Resource;

/** Instead of the Ingress. */
export const route = {
  apiVersion: 'gateway.networking.k8s.io/v1',
  kind: 'HTTPRoute',
  metadata: { name: 'shop' },
  spec: {
    parentRefs: [{ name: 'edge' }],
    hostnames: ['shop.example.com'],
    rules: [{ backendRefs: [{ name: 'shop', port: 80 }] }],
  },
};

export const budget = (matchLabels: Readonly<Record<string, string>>): Resource =>
  ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'keep-one' },
    spec: { minAvailable: 1, selector: { matchLabels } },
  }) as unknown as Resource;

const apart = {
  maxSkew: 1,
  topologyKey: 'kubernetes.io/hostname',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { [label]: 'shop' } },
};
const probed = { ...container, readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 1 } };
const gentle = { ...probed, lifecycle: { preStop: { sleep: { seconds: 10 } } } };

/**
 * The same with budget, spread and preStop sleep, as a careful team has them; `hasty`: without the sleep, so that
 * scaling down cuts requests.
 */
export const strong = (is: 'gentle' | 'hasty' = 'gentle'): readonly Resource[] => [
  deployment('shop-web', 'shop', {
    containers: [is === 'gentle' ? gentle : probed],
    topologySpreadConstraints: [apart],
  }),
  service(),
  ingress(),
  budget({ [label]: 'shop' }),
];

/** An autoscaler of the strong one by the CPU of its pods, in percent of what they ask for. */
export const autoscaler = (minReplicas: number, maxReplicas: number, averageUtilization: number) => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'shop-web' },
  spec: {
    minReplicas,
    maxReplicas,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop-web' },
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }],
  },
});

/** The strong one under other names, with a host of its own. */
export function strongAs(name: string): readonly Resource[] {
  const text = JSON.stringify(strong()).replaceAll('"shop', `"${name}`).replaceAll('shop.example', `${name}.example`);
  return JSON.parse(text.replaceAll('"front"', `"${name}"`).replaceAll('"keep-one"', `"${name}-pdb"`));
}
