import type { DisruptionBudget, NodeClaim, NodePool } from '../../cluster/autoscaler.ts';
import type { Kind, Kinds } from '../../cluster/kinds.ts';
import { condition, isEndpointReady, isFinished, isNodeReady, isReady, isTrue } from '../../cluster/pods.ts';
import type { EndpointSlice, Node, Pod, PodDisruptionBudget } from '../../cluster/resources.ts';
import { podsWanted, type Workload } from '../../cluster/workload.ts';

/**
 * What is watched during a run, with the kind in the API. `Pod` holds the application's pods, `IngressPod` the ingress
 * controller's.
 */
export const watchedAs = {
  Deployment: 'Deployment',
  EndpointSlice: 'EndpointSlice',
  IngressPod: 'Pod',
  Node: 'Node',
  NodeClaim: 'NodeClaim',
  NodePool: 'NodePool',
  Pod: 'Pod',
  PodDisruptionBudget: 'PodDisruptionBudget',
} as const satisfies Readonly<Record<string, Kind>>;
export type WatchedKind = keyof typeof watchedAs;
export type Watched<K extends WatchedKind> = Kinds[(typeof watchedAs)[K]];
export const watchedKinds = Object.keys(watchedAs) as readonly WatchedKind[];

/**
 * What the journal keeps of an object: all that a measurement or a criterion reads, and no more. Times are the API's
 * timestamps.
 */
export interface Digests {
  readonly Deployment: WorkloadDigest;
  readonly EndpointSlice: SliceDigest;
  readonly IngressPod: PodDigest;
  readonly Node: NodeDigest;
  readonly NodeClaim: ClaimDigest;
  /** Without budgets that have a schedule, because it is not known here when they apply. */
  readonly NodePool: { readonly budgets: readonly BudgetDigest[]; readonly consolidateAfter?: string };
  readonly Pod: PodDigest;
  readonly PodDisruptionBudget: { readonly healthy: number; readonly desired: number; readonly allowed: number };
}
export interface WorkloadDigest {
  readonly replicas: number;
  readonly ready: number;
  /** Its rollout has made no progress within `progressDeadlineSeconds`, by its condition Progressing. */
  readonly deadlineExceeded?: true;
}
export interface SliceDigest {
  /** Absent for IPv4. A dual-stack Service has each endpoint once for each address family. */
  readonly addressType?: 'IPv6' | 'FQDN';
  readonly ready: number;
  readonly terminating: number;
}
export type BudgetDigest = Pick<DisruptionBudget, 'nodes' | 'reasons'>;
export interface PodDigest {
  readonly uid: string;
  readonly node?: string;
  readonly createdAt: string;
  readonly ready: boolean;
  /** When it became Ready; absent while it is not. */
  readonly readyAt?: string;
  /** When its grace period ends: the API's `deletionTimestamp`. */
  readonly deletingAt?: string;
  /** Of its containers that have ended: 137 if one was killed, else the largest. */
  readonly exitCode?: number;
  /** It has succeeded or failed: none of its containers runs any more. */
  readonly finished?: true;
  readonly restarts: number;
}
export interface NodeDigest {
  readonly uid: string;
  readonly createdAt: string;
  readonly ready: boolean;
  readonly readyAt?: string;
  readonly cordoned: boolean;
  /** It has Karpenter's taint `karpenter.sh/disrupted`. */
  readonly disrupted: boolean;
  readonly deletingAt?: string;
  /** Those that the requirements of a node pool are about (2.2). */
  readonly labels: Readonly<Record<string, string>>;
}
export interface ClaimDigest {
  readonly uid: string;
  readonly createdAt: string;
  readonly node?: string;
  readonly initializedAt?: string;
  readonly deletingAt?: string;
  readonly expireAfter?: string;
  /** The reason of the condition `Drifted`, while it is True. */
  readonly drifted?: string;
  /** The reason of the condition `DisruptionReason`, while it is True. */
  readonly disruptionReason?: string;
  readonly instanceTerminating: boolean;
}

/** The digest of an object of a watched kind. */
export function digestOf<K extends WatchedKind>(kind: K, object: Watched<K>): Digests[K] {
  const digest: { readonly [D in WatchedKind]: (object: never) => Digests[D] } = {
    Deployment: workloadDigest,
    EndpointSlice: sliceDigest,
    IngressPod: podDigest,
    Node: nodeDigest,
    NodeClaim: claimDigest,
    NodePool: ({ spec: { disruption } }: NodePool) => ({
      budgets: (disruption?.budgets ?? [{ nodes: '10%' }])
        .filter(({ schedule }) => schedule === undefined)
        .map(budgetDigest),
      ...present('consolidateAfter', disruption?.consolidateAfter),
    }),
    Pod: podDigest,
    PodDisruptionBudget: ({ status }: PodDisruptionBudget) => ({
      healthy: status?.currentHealthy ?? 0,
      desired: status?.desiredHealthy ?? 0,
      allowed: status?.disruptionsAllowed ?? 0,
    }),
  };
  return digest[kind](object as never) as Digests[K];
}

/** The application's workload is watched under this name, whatever its kind is. */
const workloadDigest = (workload: Workload): WorkloadDigest => ({
  replicas: podsWanted(workload) ?? 1,
  ready: (workload.kind === 'DaemonSet' ? workload.status?.numberReady : workload.status?.readyReplicas) ?? 0,
  ...present('deadlineExceeded', hasExceededDeadline(workload) || undefined),
});

function hasExceededDeadline(workload: Workload): boolean {
  const conditions = workload.kind === 'Deployment' ? (workload.status?.conditions ?? []) : [];
  return conditions.some(({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded');
}

const budgetDigest = ({ nodes, reasons }: DisruptionBudget): BudgetDigest => ({
  nodes,
  ...present('reasons', reasons),
});

function sliceDigest({ addressType, endpoints }: EndpointSlice): SliceDigest {
  const all = endpoints ?? [];
  return {
    ...present('addressType', addressType === 'IPv4' ? undefined : addressType),
    ready: all.filter(isEndpointReady).length,
    terminating: all.filter(({ conditions }) => conditions?.terminating === true).length,
  };
}

function podDigest(pod: Pod): PodDigest {
  const { metadata, spec, status } = pod;
  return {
    uid: metadata.uid ?? '',
    createdAt: metadata.creationTimestamp ?? '',
    ...present('node', spec.nodeName),
    ready: isReady(pod),
    ...present('readyAt', isTrue(pod, 'Ready') ? condition(pod, 'Ready')?.lastTransitionTime : undefined),
    ...present('deletingAt', metadata.deletionTimestamp),
    ...present('exitCode', exitCodeOf(pod)),
    ...(isFinished(pod) ? { finished: true } : {}),
    restarts: (status?.containerStatuses ?? []).reduce((sum, container) => sum + container.restartCount, 0),
  };
}

/** 128 + SIGKILL: the grace period was over, or memory ran out. */
export const killedExitCode = 137;

function exitCodeOf({ status }: Pod): number | undefined {
  const codes = (status?.containerStatuses ?? []).flatMap(({ state }) => state?.terminated?.exitCode ?? []);
  if (codes.includes(killedExitCode)) return killedExitCode;
  return codes.length === 0 ? undefined : Math.max(...codes);
}

const requirementLabels =
  /^(kubernetes\.io\/(arch|os)|node\.kubernetes\.io\/instance-type|karpenter\.sh\/(capacity-type|nodepool)|karpenter\.k8s\.aws\/instance-.*|topology\.(kubernetes\.io|k8s\.aws)\/.*)$/;

/** Whether a node's label can be the key of a requirement of its pool, and is kept. */
export const isRequirementLabel = (key: string): boolean => requirementLabels.test(key);

function nodeDigest(node: Node): NodeDigest {
  const { metadata, spec } = node;
  return {
    uid: metadata.uid ?? '',
    createdAt: metadata.creationTimestamp ?? '',
    ready: isNodeReady(node),
    ...present('readyAt', isNodeReady(node) ? condition(node, 'Ready')?.lastTransitionTime : undefined),
    cordoned: spec?.unschedulable === true,
    disrupted: spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted') ?? false,
    ...present('deletingAt', metadata.deletionTimestamp),
    labels: Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => isRequirementLabel(key))),
  };
}

function claimDigest(claim: NodeClaim): ClaimDigest {
  const { metadata, spec, status } = claim;
  const reasonOf = (type: string): string | undefined =>
    isTrue(claim, type) ? (condition(claim, type)?.reason ?? type) : undefined;
  return {
    uid: metadata.uid ?? '',
    createdAt: metadata.creationTimestamp ?? '',
    ...present('node', status?.nodeName),
    ...present(
      'initializedAt',
      isTrue(claim, 'Initialized') ? condition(claim, 'Initialized')?.lastTransitionTime : undefined,
    ),
    ...present('deletingAt', metadata.deletionTimestamp),
    ...present('expireAfter', spec.expireAfter),
    ...present('drifted', reasonOf('Drifted')),
    ...present('disruptionReason', reasonOf('DisruptionReason')),
    instanceTerminating: isTrue(claim, 'InstanceTerminating'),
  };
}

/** An object with that member, or without it if the value is undefined, as `exactOptionalPropertyTypes` demands. */
function present<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });
}

/** How many endpoints of a Service are ready. A dual-stack Service has each endpoint once for each address family. */
export function readyIn(slices: Iterable<SliceDigest>): number {
  const families = new Map<string, number>();
  for (const { addressType = 'IPv4', ready } of slices)
    families.set(addressType, (families.get(addressType) ?? 0) + ready);
  return Math.max(0, ...families.values());
}
