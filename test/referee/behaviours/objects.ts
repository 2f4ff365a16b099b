import type { Names } from './behaviour.ts';

export const labels = { app: 'app' };

/** The system nodes of both clusters have this taint; a behaviour without a pool of its own runs there. */
const systemToleration = { key: 'CriticalAddonsOnly', operator: 'Exists' };

interface App {
  readonly replicas?: number;
  readonly name?: string;
  /** On the machines of that pool; absent: on the system nodes. */
  readonly pool?: string;
  readonly cpu?: string;
  /** How long the application serves on after its end was asked for. */
  readonly preStopSeconds?: number;
  readonly spread?: boolean;
  readonly container?: object;
  readonly pod?: object;
  readonly deployment?: object;
  readonly podAnnotations?: Readonly<Record<string, string>>;
}

/** A Deployment of nginx and its Service. */
export function app({ namespace }: Names, of: App = {}): readonly object[] {
  const { replicas = 2, name = 'app', deployment = {} } = of;
  const own = { app: name };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace },
      spec: { replicas, selector: { matchLabels: own }, template: template(of), ...deployment },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace },
      spec: { selector: own, ports: [{ port: 80, targetPort: 80 }] },
    },
  ];
}

export function template(of: App): object {
  const { name = 'app', cpu = '50m', preStopSeconds = 0, replicas = 2, podAnnotations: annotations } = of;
  const own = { app: name };
  const lifecycle = preStopSeconds === 0 ? {} : { lifecycle: { preStop: { sleep: { seconds: preStopSeconds } } } };
  return {
    metadata: { labels: own, ...(annotations && { annotations }) },
    spec: {
      ...(of.pool === undefined
        ? { nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' }, tolerations: [systemToleration] }
        : { nodeSelector: { 'karpenter.sh/nodepool': of.pool } }),
      ...(of.spread === true && { topologySpreadConstraints: [apart(own, replicas)] }),
      containers: [
        {
          name: 'nginx',
          image: 'nginx',
          ports: [{ containerPort: 80 }],
          readinessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 1 },
          resources: { requests: { cpu, memory: '64Mi' } },
          ...lifecycle,
          ...of.container,
        },
      ],
      ...of.pod,
    },
  };
}

/** A node for each pod from the beginning: without `minDomains` the first node that is ready would get them all. */
const apart = (own: object, minDomains: number): object => ({ ...spreadBy('kubernetes.io/hostname', own), minDomains });

export const spreadBy = (topologyKey: string, own: object): object => ({
  maxSkew: 1,
  topologyKey,
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: own },
});

export const budget = ({ namespace }: Names, spec: object, name = 'app'): object => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace },
  spec: { selector: { matchLabels: { app: name } }, ...spec },
});

interface Pool {
  readonly disruption?: object;
  readonly spec?: object;
  readonly template?: object;
  readonly labels?: object;
  readonly requirements?: readonly object[];
  readonly name?: string;
}

/** A pool of ARM machines of two processors on demand, whose nodes stay when they are empty. */
export function pool({ pool: own }: Names, of: Pool = {}): object {
  const { disruption = {}, spec = {}, name = own, requirements = [] } = of;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: {
        metadata: { labels: { role: name, ...of.labels } },
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          expireAfter: '720h',
          requirements: [
            { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] },
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
            { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['r', 'm'] },
            { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['7'] },
            { key: 'karpenter.k8s.aws/instance-cpu', operator: 'In', values: ['2'] },
            ...requirements,
          ],
          ...of.template,
        },
      },
      disruption: {
        consolidationPolicy: 'WhenEmpty',
        consolidateAfter: '1h',
        budgets: [{ nodes: '1' }],
        ...disruption,
      },
      ...spec,
    },
  };
}
