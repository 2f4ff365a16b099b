import type { Json } from '../objects/json.ts';
import { type Served, served, servedAt } from './served.ts';

/** The namespaces that an API server creates at its first start. */
export const initialNamespaces: readonly string[] = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** An object that is there before the first request. */
export interface InitialObject {
  readonly served: Served;
  readonly object: Json;
}

export const initialNamespaceObjects: readonly InitialObject[] = initialNamespaces.map((name) => ({
  served: served.Namespace,
  object: { kind: 'Namespace', metadata: { name } },
}));

const critical =
  'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.';
const nodeCritical = 'Used for system critical pods that must not be moved from their current node.';

/** The two classes that a kube-apiserver makes at its start (kubernetes, pkg/apis/scheduling/v1/helpers.go). */
export const systemPriorityClasses: readonly InitialObject[] = [
  priorityClass('system-cluster-critical', 2_000_000_000, critical),
  priorityClass('system-node-critical', 2_000_001_000, nodeCritical),
];

function priorityClass(name: string, value: number, description: string): InitialObject {
  const place = servedAt('scheduling.k8s.io/v1', 'priorityclasses') as Served;
  return { served: place, object: { kind: 'PriorityClass', metadata: { name }, value, description } };
}
