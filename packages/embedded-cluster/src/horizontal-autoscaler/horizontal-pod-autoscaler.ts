import { ApiError } from '../kubernetes/cluster.ts';
import type { HorizontalPodAutoscalerStatus } from '../kubernetes/horizontal-autoscaler.ts';
import type { LabelSelector } from '../kubernetes/metadata.ts';
import type { HorizontalPodAutoscaler } from '../kubernetes/resources.ts';
import { podUsage, type UsageSources } from '../machines/pod-metrics.ts';
import { type Cache, keyOf, placeOf } from '../objects/cache.ts';
import { type Stated, withConditions } from '../objects/conditions.ts';
import { sameJson } from '../objects/json.ts';
import { selectorMatches } from '../objects/selectors.ts';
import { timestamp } from '../objects/timestamps.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import type { Controller, Site } from '../setup/site.ts';
import { wishOf } from './metric-replicas.ts';
import { forgotten, ruled, type ScalingHistory } from './scaling-rules.ts';

/**
 * HorizontalPodAutoscaler → the scale of its target, every 15 s, by the CPU of its pods
 * (pkg/controller/podautoscaler/horizontal.go).
 */
export function horizontalPodAutoscaler(usage: UsageSources): Controller {
  const histories = new Map<string, ScalingHistory>();
  return reconciler({
    name: 'horizontal-pod-autoscaler',
    watches: { HorizontalPodAutoscaler: (object) => [keyOf(object)] },
    reaction: 'horizontalSync',
    reconcile: async (site, key) => {
      const autoscaler = site.cache.get('HorizontalPodAutoscaler', key);
      if (autoscaler === undefined) {
        histories.delete(key);
        return undefined;
      }
      const decided = decide({ site, usage, histories, key }, autoscaler);
      const rescaled = decided.rescaleTo === undefined ? [] : await rescale(site, autoscaler, decided.rescaleTo);
      const isRescaled = rescaled.some(({ reason }) => reason === 'SucceededRescale');
      if (isRescaled) remember(histories, key, decided, site.now());
      await write(site, autoscaler, statusOf(autoscaler, decided, { rescaled, isRescaled, at: site.now() }));
      return site.delay('horizontalSync');
    },
  });
}

interface Work {
  readonly site: Site;
  readonly usage: UsageSources;
  readonly histories: Map<string, ScalingHistory>;
  readonly key: string;
}

interface Decided {
  readonly conditions: readonly Stated[];
  readonly current?: number;
  /** Undefined while the target is not known or too little is measured. */
  readonly desired?: number;
  readonly rescaleTo?: number;
  readonly currentMetrics?: HorizontalPodAutoscalerStatus['currentMetrics'];
}

const condition = (type: string, status: Stated['status'], reason: string, message: string): Stated => ({
  type,
  status,
  reason,
  message,
});

/** horizontal.go, reconcileAutoscaler. */
function decide(work: Work, { metadata, spec }: HorizontalPodAutoscaler): Decided {
  const { site, histories, key } = work;
  const target = targetOf(site.cache, spec.scaleTargetRef, metadata.namespace);
  if ('missing' in target) {
    const message = `the HPA controller was unable to get the target's current scale: ${target.missing}`;
    return { conditions: [condition('AbleToScale', 'False', 'FailedGetScale', message)] };
  }
  const { current } = target;
  const found = "the HPA controller was able to get the target's current scale";
  const able = condition('AbleToScale', 'True', 'SucceededGetScale', found);
  const history = histories.get(key) ?? { recommendations: [{ replicas: current, at: site.now() }], changes: [] };
  histories.set(key, history);
  const { minReplicas = 1, maxReplicas } = spec;
  if (current === 0) {
    const message = 'scaling is disabled since the replica count of the target is zero';
    return { conditions: [able, condition('ScalingActive', 'False', 'ScalingDisabled', message)], current, desired: 0 };
  }
  if (current > maxReplicas) return { conditions: [able], current, desired: maxReplicas, rescaleTo: maxReplicas };
  if (current < minReplicas) return { conditions: [able], current, desired: minReplicas, rescaleTo: minReplicas };
  return byMetrics(work, { metadata, spec }, target, [able]);
}

function byMetrics(
  { site, usage, histories, key }: Work,
  { metadata, spec }: Pick<HorizontalPodAutoscaler, 'metadata' | 'spec'>,
  { current, selector }: ScaleTarget,
  conditions: readonly Stated[],
): Decided {
  const at = site.now();
  const pods = [...site.cache.inNamespace('Pod', metadata.namespace)].filter((pod) =>
    selectorMatches(pod.metadata.labels, selector),
  );
  const measured = {
    pods,
    usageOf: (pod: (typeof pods)[number]) => podUsage(usage, keyOf(pod)),
    currentReplicas: current,
    at,
  };
  const { replicas, scalingActive, currentMetrics } = wishOf(spec.metrics ?? [], measured);
  const metrics = { current, currentMetrics: currentMetrics.length === 0 ? null : currentMetrics };
  if (replicas === undefined) return { conditions: [...conditions, scalingActive], ...metrics };
  const before = histories.get(key) ?? { recommendations: [], changes: [] };
  const history = forgotten({ ...before, recommendations: [...before.recommendations, { replicas, at }] }, at);
  histories.set(key, history);
  const rules = ruled(spec, current, replicas, history, at);
  return {
    conditions: [...conditions, scalingActive, ...rules.conditions],
    ...metrics,
    desired: rules.replicas,
    ...(rules.replicas === current ? {} : { rescaleTo: rules.replicas }),
  };
}

interface ScaleTarget {
  readonly current: number;
  readonly selector: LabelSelector;
}

/** The kinds that have the subresource `scale`. */
const scalable = ['Deployment', 'ReplicaSet', 'StatefulSet'] as const;
type Reference = HorizontalPodAutoscaler['spec']['scaleTargetRef'];

const kindOf = ({ kind }: Reference) => scalable.find((one) => one === kind);

function targetOf(
  cache: Cache,
  reference: Reference,
  namespace: string | undefined,
): ScaleTarget | { readonly missing: string } {
  const kind = kindOf(reference);
  if (kind === undefined) return { missing: `no matches for kind "${reference.kind}" in group ""` };
  const found = cache.get(kind, `${namespace}/${reference.name}`);
  if (found === undefined) return { missing: `${kind.toLowerCase()}s.apps "${reference.name}" not found` };
  return { current: found.spec.replicas ?? 1, selector: found.spec.selector };
}

async function rescale(
  site: Site,
  { metadata, spec }: HorizontalPodAutoscaler,
  replicas: number,
): Promise<readonly Stated[]> {
  const kind = kindOf(spec.scaleTargetRef) ?? 'Deployment';
  const at = placeOf(`${metadata.namespace}/${spec.scaleTargetRef.name}`);
  try {
    await site.cluster.patch(kind, at, { type: 'merge', value: { spec: { replicas } } }, { subresource: 'scale' });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const message = `the HPA controller was unable to update the target scale: ${error.answer}`;
    return [condition('AbleToScale', 'False', 'FailedUpdateScale', message)];
  }
  const message = `the HPA controller was able to update the target scale to ${replicas}`;
  return [condition('AbleToScale', 'True', 'SucceededRescale', message)];
}

function remember(
  histories: Map<string, ScalingHistory>,
  key: string,
  { current = 0, desired = 0 }: Decided,
  at: number,
): void {
  const history = histories.get(key) ?? { recommendations: [], changes: [] };
  histories.set(key, { ...history, changes: [...history.changes, { replicas: desired - current, at }] });
}

interface Rescaled {
  readonly rescaled: readonly Stated[];
  readonly isRescaled: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

function statusOf(
  { status }: HorizontalPodAutoscaler,
  { conditions, current, desired, currentMetrics }: Decided,
  { rescaled, isRescaled, at }: Rescaled,
): HorizontalPodAutoscalerStatus {
  return {
    ...status,
    ...(current === undefined ? {} : { currentReplicas: current }),
    desiredReplicas: (isRescaled || rescaled.length === 0 ? desired : current) ?? status?.desiredReplicas ?? 0,
    currentMetrics: currentMetrics ?? null,
    conditions: withConditions(status?.conditions, [...conditions, ...rescaled], at),
    ...(isRescaled ? { lastScaleTime: timestamp(at) } : {}),
  };
}

async function write(
  site: Site,
  autoscaler: HorizontalPodAutoscaler,
  status: HorizontalPodAutoscalerStatus,
): Promise<void> {
  if (sameJson(status, autoscaler.status ?? {})) return;
  const value = [{ op: 'add', path: '/status', value: status }] as const;
  const at = placeOf(keyOf(autoscaler));
  await site.cluster.patch('HorizontalPodAutoscaler', at, { type: 'json', value }, { subresource: 'status' });
}
