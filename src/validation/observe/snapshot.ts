import type { NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import type { Cluster } from '../../cluster/cluster.ts';
import { isFinished, isReady, isTrue } from '../../cluster/pods.ts';
import type { Endpoint, EndpointSlice, Node, Pod, PodDisruptionBudget } from '../../cluster/resources.ts';
import { podsWanted, type Workload } from '../../cluster/workload.ts';
import { labelsMatch } from '../../settings/pod-selector.ts';
import { digestOf, readyIn } from '../record/digest.ts';
import { hasKarpenter, type Settings, serviceName } from '../settings.ts';
import type { LatestObserved } from './observation.ts';

/** The application and the pool at one moment. */
export interface Snapshot {
  readonly workload: Workload | undefined;
  /** The application's pods: with those being deleted, without finished ones that are left over. */
  readonly pods: readonly Pod[];
  /** The pool's nodes; others may be missing, because a large cluster is not read whole each time. */
  readonly nodes: readonly Node[];
  readonly claims: readonly NodeClaim[];
  readonly slices: readonly EndpointSlice[];
  readonly budgets: readonly PodDisruptionBudget[];
  /** The pods of the ingress controller. */
  readonly ingressPods: readonly Pod[];
  /** The pods of each other application that the same scenario is made for; absent where there is none. */
  readonly beside?: readonly (readonly Pod[])[];
  /** The latest observation of the application's name by each source, if it is observed. */
  readonly name?: LatestObserved['name'];
}

/**
 * What a scenario's plan is made from: also the pool, every pod on its nodes, and the components on which every request
 * depends.
 */
export interface Before extends Snapshot {
  /** Every node of the cluster. */
  readonly nodes: readonly Node[];
  readonly pool: NodePool | undefined;
  /** The pods that tell the front door's proxies what to do; absent where these do it themselves. */
  readonly controlPlanePods?: readonly Pod[];
  /** The pods on the pool's nodes, of every namespace. */
  readonly poolPods: readonly Pod[];
  readonly components: readonly ComponentPod[];
}
export interface ComponentPod {
  readonly component: 'ingress controller' | 'DNS automation' | 'autoscaler';
  readonly namespace: string;
  readonly pod: string;
  readonly node: string | undefined;
  /** The Deployment that the pod belongs to, if it belongs to one. */
  readonly deployment: string | undefined;
}

/**
 * Reads the application and the pool anew from the API, because a watch alone is no evidence (docs/facts/kubernetes.md,
 * "Watches").
 */
export async function readNow(cluster: Cluster, settings: Settings): Promise<Snapshot> {
  const { namespace, application, applicationKind, ingressController } = settings;
  const [workload, pods, nodes, claims, slices, budgets, ingressPods] = await Promise.all([
    cluster.get(applicationKind, { namespace, name: application }),
    cluster.list('Pod', { namespace, labelSelector: applicationSelector(settings) }),
    cluster.list('Node', { labelSelector: poolSelector(settings) }),
    cluster.list('NodeClaim', { labelSelector: claimSelector(settings) }),
    cluster.list('EndpointSlice', { namespace, labelSelector: sliceSelector(settings) }),
    cluster.list('PodDisruptionBudget', { namespace }),
    cluster.list('Pod', { namespace: ingressController.namespace, labelSelector: ingressController.selector }),
  ]);
  return { workload, pods: pods.filter(isNotLeftOver), nodes, claims, slices, budgets, ingressPods };
}

/**
 * False for a finished pod, such as an evicted one, that is not being deleted: it is no replica and will never be one
 * again.
 */
export const isNotLeftOver = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined || !isFinished(pod);

/** Reads the same, with everything else that a plan depends on. */
export async function readSnapshot(cluster: Cluster, settings: Settings): Promise<Before> {
  const { nodePool, dnsAutomation, autoscaler } = settings;
  const podsOf = ({ namespace, selector }: Settings['dnsAutomation']) =>
    cluster.list('Pod', { namespace, labelSelector: selector });
  const { namespace, controlPlane } = settings.ingressController;
  const [now, nodes, pool, dnsAutomationPods, autoscalerPods, controlPlanePods] = await Promise.all([
    readNow(cluster, settings),
    cluster.list('Node'),
    cluster.get('NodePool', { name: nodePool.name }),
    podsOf(dnsAutomation),
    podsOf(autoscaler),
    controlPlane === undefined ? undefined : podsOf({ namespace, selector: controlPlane }),
  ]);
  const components = [
    ...now.ingressPods.map(componentPod('ingress controller')),
    ...dnsAutomationPods.map(componentPod('DNS automation')),
    ...autoscalerPods.map(componentPod('autoscaler')),
  ];
  const poolPods = await readPoolPods(cluster, now.nodes);
  return { ...now, nodes, pool, components, poolPods, ...(controlPlanePods && { controlPlanePods }) };
}

const componentPod =
  (component: ComponentPod['component']) =>
  (pod: Pod): ComponentPod => ({
    component,
    namespace: pod.metadata.namespace ?? '',
    pod: pod.metadata.name,
    node: pod.spec.nodeName,
    deployment: deploymentOf(pod),
  });

/** A ReplicaSet's name is its Deployment's name and the `pod-template-hash` of its pods. */
function deploymentOf({ metadata: { labels, ownerReferences } }: Pod): string | undefined {
  const owner = ownerReferences?.find(({ kind }) => kind === 'ReplicaSet');
  const suffix = `-${labels?.['pod-template-hash']}`;
  return owner?.name.endsWith(suffix) ? owner.name.slice(0, -suffix.length) : undefined;
}

async function readPoolPods(cluster: Cluster, nodes: readonly Node[]): Promise<Before['poolPods']> {
  const lists = nodes.map(({ metadata }) => cluster.list('Pod', { fieldSelector: `spec.nodeName=${metadata.name}` }));
  return (await Promise.all(lists)).flat();
}

export const applicationSelector = ({ application, applicationSelector: configured }: Settings): string =>
  configured ?? `app=${application}`;
/** Selects the Node objects of the pool; without Karpenter those of the node group that holds the application. */
export function poolSelector(settings: Settings): string {
  const { selector, role } = settings.nodePool;
  return hasKarpenter(settings) ? claimSelector(settings) : (selector ?? `role=${role}`);
}
/** The same nodes for people: `pool general-purpose-arm`, or `the nodes with role=web`. */
export const poolText = (settings: Settings): string =>
  hasKarpenter(settings) ? `pool ${settings.nodePool.name}` : `the nodes with ${poolSelector(settings)}`;
export const claimSelector = ({ nodePool }: Settings): string => `karpenter.sh/nodepool=${nodePool.name}`;
export const sliceSelector = (settings: Settings): string => `kubernetes.io/service-name=${serviceName(settings)}`;

export const readyPods = ({ pods }: Pick<Snapshot, 'pods'>): readonly Pod[] => pods.filter(isReady);

export function isPoolNode(node: Node, settings: Settings): boolean {
  return labelsMatch(node.metadata.labels, poolSelector(settings));
}

/**
 * Whether the application has exactly so many pods, a DaemonSet one on each of its nodes, and each of them is ready and
 * a ready endpoint.
 */
export function applicationAtRest(now: Snapshot, replicas: number): boolean {
  const { workload, pods } = now;
  if (workload === undefined) return false;
  const wanted = podsWanted(workload);
  if (workload.kind !== 'DaemonSet' && wanted !== replicas) return false;
  return pods.length === wanted && readyPods(now).length === wanted && readyEndpoints(now) === wanted && wanted > 0;
}

/**
 * The same with as many pods as the workload wants now, and not fewer than that: an autoscaler may change their number.
 */
export const atRestWithAtLeast = (now: Snapshot, least: number): boolean =>
  applicationAtRest(now, Math.max(least, (now.workload && podsWanted(now.workload)) ?? 0));

/** The two replicas that a scenario wants, or the one that the owner of the application declares. */
export const twoOrFewer = ({ workload }: Snapshot): number => Math.min(2, (workload && podsWanted(workload)) ?? 2);

/** Those of the application's own pods: its Service may also select a canary's, or somebody else's. */
export function readyEndpoints({ slices, pods }: Pick<Snapshot, 'slices' | 'pods'>): number {
  const names = new Set(pods.map(({ metadata }) => metadata.name));
  const isOwn = ({ targetRef }: Endpoint): boolean => targetRef === undefined || names.has(targetRef.name);
  const own = slices.map((slice) => ({ ...slice, endpoints: (slice.endpoints ?? []).filter(isOwn) }));
  return readyIn(own.map((slice) => digestOf('EndpointSlice', slice)));
}

/**
 * Whether a node of the pool is gone with its NodeClaim, another one came, and every remaining NodeClaim is
 * initialized.
 */
export function nodeReplaced(now: Snapshot, before: Snapshot): boolean {
  const gone = missing(before.claims, now.claims);
  const names = new Set(now.nodes.map(({ metadata }) => metadata.name));
  return (
    gone.length > 0 &&
    gone.every(({ status }) => !names.has(status?.nodeName ?? '')) &&
    missing(now.claims, before.claims).length > 0 &&
    now.claims.every((claim) => claim.metadata.deletionTimestamp === undefined && isTrue(claim, 'Initialized'))
  );
}

/** Whether those nodes are gone with their NodeClaims, and every remaining NodeClaim is initialized. */
export function nodesGone(now: Snapshot, before: Snapshot, nodes: readonly string[]): boolean {
  const those = before.claims.filter(({ status }) => nodes.includes(status?.nodeName ?? ''));
  return (
    missing(those, now.claims).length === those.length &&
    now.nodes.every(({ metadata }) => !nodes.includes(metadata.name)) &&
    now.claims.every((claim) => claim.metadata.deletionTimestamp === undefined && isTrue(claim, 'Initialized'))
  );
}

function missing(some: readonly NodeClaim[], others: readonly NodeClaim[]): readonly NodeClaim[] {
  const uids = new Set(others.map(({ metadata }) => metadata.uid));
  return some.filter(({ metadata }) => !uids.has(metadata.uid));
}
