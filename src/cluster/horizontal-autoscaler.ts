export type {
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValue,
  ScalingPolicy,
  ScalingRules,
} from '@holdfast/embedded-cluster';
