import { group, kind, type Served } from './served-kind.ts';

/** The kinds of metrics-server, an aggregated API server. */
export const metricsKinds: readonly Served[] = group('metrics.k8s.io/v1beta1', [
  kind('PodMetrics', 'pods', { verbs: ['get', 'list'] }),
]);
