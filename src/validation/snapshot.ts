import type { NodeClaim } from '../cluster/autoscaler.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { isNodeReady, isReady } from '../cluster/pods.ts';
import type { Deployment, EndpointSlice, Node, Pod, PodDisruptionBudget } from '../cluster/resources.ts';
import type { Settings } from './settings.ts';

/** The application and the pool at one moment. */
export interface Snapshot {
  readonly deployment: Deployment | undefined;
  /** The application's pods, those on their way out included. */
  readonly pods: readonly Pod[];
  readonly nodes: readonly Node[];
  readonly claims: readonly NodeClaim[];
  readonly slices: readonly EndpointSlice[];
  readonly budgets: readonly PodDisruptionBudget[];
}

/** What a scenario plans on: also where the components live on which the whole path depends. */
export interface Before extends Snapshot {
  readonly components: readonly {
    readonly component: string;
    readonly pod: string;
    readonly node: string | undefined;
  }[];
}

/** Reads everything anew from the API, because a watch alone is no evidence (facts 3.1). */
export async function readSnapshot(cluster: Cluster, settings: Settings): Promise<Before> {
  const { namespace, application } = settings;
  const [deployment, pods, nodes, claims, slices, budgets, components] = await Promise.all([
    cluster.get('Deployment', { namespace, name: application }),
    cluster.list('Pod', { namespace, labelSelector: applicationSelector(settings) }),
    cluster.list('Node'),
    cluster.list('NodeClaim', { labelSelector: poolSelector(settings) }),
    cluster.list('EndpointSlice', { namespace, labelSelector: sliceSelector(settings) }),
    cluster.list('PodDisruptionBudget', { namespace }),
    readComponents(cluster, settings),
  ]);
  return { deployment, pods, nodes, claims, slices, budgets, components };
}

export const applicationSelector = ({ application }: Settings): string => `app=${application}`;
export const poolSelector = ({ nodePool }: Settings): string => `karpenter.sh/nodepool=${nodePool.name}`;
export const sliceSelector = ({ application }: Settings): string => `kubernetes.io/service-name=${application}`;

async function readComponents(cluster: Cluster, settings: Settings): Promise<Before['components']> {
  const places = [
    ['ingress controller', settings.ingressController],
    ['DNS automation', settings.dnsAutomation],
    ['autoscaler', settings.autoscaler],
  ] as const;
  const lists = await Promise.all(
    places.map(async ([component, { namespace, selector }]) => {
      const pods = await cluster.list('Pod', { namespace, labelSelector: selector });
      return pods.map((pod) => ({ component, pod: pod.metadata.name, node: pod.spec.nodeName }));
    }),
  );
  return lists.flat();
}

export const readyPods = ({ pods }: Snapshot): readonly Pod[] => pods.filter(isReady);

export function isPoolNode(node: Node, settings: Settings): boolean {
  return node.metadata.labels?.['karpenter.sh/nodepool'] === settings.nodePool.name;
}

/** As many ready pods as wanted, no others left, and every endpoint that is told is ready. */
export function applicationAtRest(now: Snapshot, replicas: number): boolean {
  return (
    now.deployment?.spec.replicas === replicas &&
    now.pods.length === replicas &&
    readyPods(now).length === replicas &&
    readyEndpoints(now) === replicas
  );
}

export function readyEndpoints({ slices }: Pick<Snapshot, 'slices'>): number {
  return slices.flatMap((slice) => slice.endpoints).filter((endpoint) => endpoint.conditions?.ready !== false).length;
}

/** Nodes that could take a pod now. */
export function usableNodes(now: Snapshot): readonly Node[] {
  return now.nodes.filter((node) => isNodeReady(node) && node.spec?.unschedulable !== true);
}
