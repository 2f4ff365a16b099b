import type { MetricSpec, MetricStatus, MetricTarget } from '../kubernetes/horizontal-autoscaler.ts';
import type { Stated } from '../objects/conditions.ts';
import { type Measured, type Proposal, replicasFor } from './resource-replicas.ts';

/** What all metrics of an autoscaler ask for together. */
export interface Wish {
  /** Undefined where not enough is known. */
  readonly replicas: number | undefined;
  readonly scalingActive: Stated;
  readonly currentMetrics: readonly MetricStatus[];
}

/** What one metric asks for. */
type Asked =
  | { readonly replicas: number; readonly name: string; readonly status: MetricStatus }
  | { readonly reason: string; readonly failure: string };

/**
 * The highest number; metrics that are not known keep it from going down (horizontal.go, computeReplicasForMetrics).
 */
export function wishOf(metrics: readonly MetricSpec[], measured: Measured): Wish {
  const asked = metrics.map((metric) => askedBy(metric, measured));
  const known = asked.flatMap((one) => ('failure' in one ? [] : [one]));
  const currentMetrics = known.map(({ status }) => status);
  const highest = known.toSorted((a, b) => b.replicas - a.replicas)[0];
  const failed = asked.find((one) => 'failure' in one);
  const isUnknown = highest === undefined || (failed !== undefined && highest.replicas < measured.currentReplicas);
  if (isUnknown && failed !== undefined) {
    const message = `the HPA was unable to compute the replica count: ${failed.failure}`;
    const scalingActive = { type: 'ScalingActive', status: 'False', reason: failed.reason, message } as const;
    return { replicas: undefined, scalingActive, currentMetrics };
  }
  const message = `the HPA was able to successfully calculate a replica count from ${highest?.name}`;
  const scalingActive = { type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound', message } as const;
  return { replicas: highest?.replicas, scalingActive, currentMetrics };
}

function askedBy({ type, resource, containerResource }: MetricSpec, measured: Measured): Asked {
  if (resource !== undefined) {
    const asked = cpuAsked(resource.name, 'resource', resource.target, measured);
    if ('failure' in asked) return { reason: 'FailedGetResourceMetric', failure: asked.failure };
    return { ...asked, status: { type, resource: { name: resource.name, current: asked.current } } };
  }
  if (containerResource !== undefined) {
    const { name, container, target } = containerResource;
    const asked = cpuAsked(name, 'container resource', target, { ...measured, container });
    if ('failure' in asked) return { reason: 'FailedGetContainerResourceMetric', failure: asked.failure };
    return { ...asked, status: { type, containerResource: { name, container, current: asked.current } } };
  }
  return { reason: `FailedGet${type}Metric`, failure: `unable to get metric: no ${type} metrics API is served here` };
}

type CpuAsked = (Exclude<Proposal, { failure: string }> & { readonly name: string }) | { readonly failure: string };

function cpuAsked(resource: string, source: string, target: MetricTarget, measured: Measured): CpuAsked {
  const isRaw = target.averageValue !== undefined;
  const what = `${resource} ${isRaw ? 'usage' : 'utilization'}`;
  const asked: Proposal =
    resource === 'cpu' ? replicasFor(target, measured) : { failure: `no ${resource} of a pod is measured here` };
  if ('failure' in asked) return { failure: `failed to get ${what}: ${asked.failure}` };
  return {
    ...asked,
    name: isRaw ? `${resource} ${source}` : `${resource} ${source} utilization (percentage of request)`,
  };
}
