/** Where the kinds are that behaviours use. */
const places = {
  Pod: ['/api/v1', 'pods'],
  Service: ['/api/v1', 'services'],
  Node: ['/api/v1', 'nodes'],
  Namespace: ['/api/v1', 'namespaces'],
  Event: ['/api/v1', 'events'],
  EndpointSlice: ['/apis/discovery.k8s.io/v1', 'endpointslices'],
  Deployment: ['/apis/apps/v1', 'deployments'],
  ReplicaSet: ['/apis/apps/v1', 'replicasets'],
  DaemonSet: ['/apis/apps/v1', 'daemonsets'],
  StatefulSet: ['/apis/apps/v1', 'statefulsets'],
  Job: ['/apis/batch/v1', 'jobs'],
  PriorityClass: ['/apis/scheduling.k8s.io/v1', 'priorityclasses'],
  HorizontalPodAutoscaler: ['/apis/autoscaling/v2', 'horizontalpodautoscalers'],
  PodDisruptionBudget: ['/apis/policy/v1', 'poddisruptionbudgets'],
  NodeClaim: ['/apis/karpenter.sh/v1', 'nodeclaims'],
  NodePool: ['/apis/karpenter.sh/v1', 'nodepools'],
} as const;

export type Kind = keyof typeof places;

/** The collection's path; without a namespace that of the whole cluster. */
export function pathOf(kind: Kind, namespace?: string): string {
  const [group, plural] = places[kind];
  return namespace === undefined ? `${group}/${plural}` : `${group}/namespaces/${namespace}/${plural}`;
}
