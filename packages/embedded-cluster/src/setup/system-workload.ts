import type { Deployment } from '../kubernetes/resources.ts';
import type { Container, PodSpec } from '../kubernetes/specs.ts';

/** The managed node group that runs every component except the application. */
export const systemLabels = { 'eks.amazonaws.com/nodegroup': 'system' };
export const systemTaint = { key: 'CriticalAddonsOnly', value: 'true', effect: 'NoSchedule' } as const;

export const nameLabel = (name: string) => ({ 'app.kubernetes.io/name': name });

export interface Workload {
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly container: Container;
  readonly more?: Partial<PodSpec>;
  readonly strategy?: NonNullable<Deployment['spec']['strategy']>;
}

/** A Deployment on the system nodes, whose replicas are spread evenly over them. */
export function deployment({ namespace, name, replicas, labels, container, more, strategy }: Workload): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      ...(strategy === undefined ? {} : { strategy }),
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
