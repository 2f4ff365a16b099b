/** What differs between the recordings before the deed. */
export interface Before {
  readonly replicas: number;
  readonly disruption?: object;
  /** Of the pool's template. */
  readonly template?: object;
  readonly budget?: object;
  readonly podAnnotations?: Readonly<Record<string, string>>;
}

export const poolName = 'arm';
const labels = { app: 'web' };

/** The pool, the Deployment with a node for each pod, and the budget of the recordings. */
export function application({
  replicas,
  disruption = {},
  template = {},
  budget,
  podAnnotations: annotations,
}: Before): readonly object[] {
  return [
    {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: poolName },
      spec: {
        template: {
          metadata: { labels: { role: 'web' } },
          spec: {
            nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
            expireAfter: '720h',
            requirements: [
              { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] },
              { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
              { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
            ],
            ...template,
          },
        },
        limits: { cpu: '100' },
        disruption: {
          consolidationPolicy: 'WhenEmptyOrUnderutilized',
          consolidateAfter: '30s',
          budgets: [{ nodes: '1' }],
          ...disruption,
        },
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default' },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, ...(annotations && { annotations }) },
          spec: {
            nodeSelector: { role: 'web' },
            topologySpreadConstraints: [
              {
                maxSkew: 1,
                topologyKey: 'kubernetes.io/hostname',
                whenUnsatisfiable: 'DoNotSchedule',
                labelSelector: { matchLabels: labels },
              },
            ],
            containers: [
              {
                name: 'web',
                image: 'nginx',
                ports: [{ containerPort: 80 }],
                resources: { requests: { cpu: '300m', memory: '256Mi' } },
              },
            ],
          },
        },
      },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { matchLabels: labels }, ...(budget ?? { minAvailable: 1 }) },
    },
  ];
}
