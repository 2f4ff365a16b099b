import type { Condition } from './metadata.ts';

/** autoscaling/v2 HorizontalPodAutoscalerSpec. */
export interface HorizontalPodAutoscalerSpec {
  readonly scaleTargetRef: { readonly apiVersion?: string; readonly kind: string; readonly name: string };
  /** The API's default is 1. */
  readonly minReplicas?: number;
  readonly maxReplicas: number;
  /** The API's default is 80 % of the requested cpu. */
  readonly metrics?: readonly MetricSpec[];
  readonly behavior?: { readonly scaleUp?: ScalingRules; readonly scaleDown?: ScalingRules };
}
export interface MetricSpec {
  readonly type: 'Resource' | 'ContainerResource' | 'Pods' | 'Object' | 'External';
  readonly resource?: { readonly name: string; readonly target: MetricTarget };
  readonly containerResource?: { readonly name: string; readonly container: string; readonly target: MetricTarget };
}
export interface MetricTarget {
  readonly type: 'Utilization' | 'AverageValue' | 'Value';
  /** Percent of what is requested. */
  readonly averageUtilization?: number;
  /** A quantity. */
  readonly averageValue?: string;
}
export interface ScalingRules {
  readonly stabilizationWindowSeconds?: number;
  /** `Max` if absent. */
  readonly selectPolicy?: 'Max' | 'Min' | 'Disabled';
  readonly policies?: readonly ScalingPolicy[];
}
export interface ScalingPolicy {
  readonly type: 'Pods' | 'Percent';
  readonly value: number;
  readonly periodSeconds: number;
}
export interface HorizontalPodAutoscalerStatus {
  readonly currentReplicas?: number;
  readonly desiredReplicas: number;
  /** The server sends null for none. */
  readonly currentMetrics?: readonly MetricStatus[] | null;
  readonly lastScaleTime?: string;
  readonly conditions?: readonly Condition[];
}
export interface MetricStatus {
  readonly type: MetricSpec['type'];
  readonly resource?: { readonly name: string; readonly current: MetricValue };
  readonly containerResource?: { readonly name: string; readonly container: string; readonly current: MetricValue };
}
export interface MetricValue {
  readonly averageUtilization?: number;
  readonly averageValue: string;
}
