import type { NodePool } from '../kubernetes/autoscaler.ts';
import type { Pod } from '../kubernetes/resources.ts';
import type { PodSpec, TopologySpreadConstraint } from '../kubernetes/specs.ts';
import { keyOf } from '../objects/cache.ts';
import { type Amounts, plus } from '../objects/quantities.ts';
import { type NodeInfo, nodeObstacle, requestsOf, withPodAdded } from '../scheduling/node-info.ts';
import { matchesNodeSelection } from '../scheduling/requirements.ts';
import { spreadScore, topologyObstacle } from '../scheduling/spread.ts';
import type { VolumeNeeds } from '../scheduling/volumes.ts';
import { cheapestThatFits, type Offering } from './offering.ts';
import { relaxations } from './preferences.ts';

/** A pool, and the nodes that it could launch. */
export interface PoolOfferings {
  readonly pool: NodePool;
  readonly offerings: readonly Offering[];
  /** Specs of the DaemonSets' pods. */
  readonly daemons: readonly PodSpec[];
}

/** A node to launch: the pods that it is for, and the cheapest offering that holds them. */
export interface Plan {
  readonly pool: NodePool;
  readonly pods: readonly Pod[];
  readonly offering: Offering;
  readonly requests: Amounts;
}

/** A planned node while pods are added to it (Karpenter's in-flight NodeClaim). */
interface InFlightNode {
  readonly source: PoolOfferings;
  /** What it may still become: all in one zone, and each with the labels that its pods ask for. */
  readonly offerings: readonly Offering[];
  readonly node: NodeInfo;
  readonly requests: Amounts;
  readonly pods: readonly Pod[];
  readonly offering: Offering;
}

/** What the claims of a pod ask of its node; undefined for a pod without claims. */
type NeedsOf = (pod: Pod) => VolumeNeeds | undefined;

interface Packing {
  readonly needsOf: NeedsOf;
  readonly existing: readonly NodeInfo[];
  readonly planned: readonly InFlightNode[];
  readonly unplaced: readonly Pod[];
  /** The name of the existing node of each pod that got room on one, by the pod's namespace and name. */
  readonly placed: ReadonlyMap<string, string>;
}

/** A pod, and the variants of it that are tried until one fits. */
interface Queued {
  readonly pod: Pod;
  readonly tries: readonly Pod[];
}

/** Where pods would go. */
export type Packed = Pick<Packing, 'placed' | 'unplaced'> & { readonly plans: readonly Plan[] };

/**
 * The nodes that have to be launched so that every pod fits: each pod goes to an existing node, else to a planned one,
 * else to a new one of the first pool that can hold it; its preferences are given up one by one only where none does
 * (provisioning/scheduling/scheduler.go).
 */
export function pack(
  pods: readonly Pod[],
  existing: readonly NodeInfo[],
  sources: readonly PoolOfferings[],
  needsOf: NeedsOf = () => undefined,
): Packed {
  const offered = sources.flatMap(({ offerings }) => offerings);
  const queue = pods.toSorted(largestThenOldest).map((pod) => ({
    pod: withOfferedDomains(pod, offered),
    tries: relaxations(pod).map((as) => withOfferedDomains(as, offered)),
  }));
  let packing: Packing = { needsOf, existing, planned: [], unplaced: [], placed: new Map() };
  for (const one of queue) packing = addPod(packing, one, sources);
  const plans = packing.planned.map(({ source, pods: planned, offering, requests }) => ({
    pool: source.pool,
    pods: planned,
    offering,
    requests,
  }));
  return { plans, unplaced: packing.unplaced, placed: packing.placed };
}

/**
 * By CPU, then memory, the largest first; equal ones by their creation, then by uid (provisioning/scheduling/queue.go).
 */
function largestThenOldest(a: Pod, b: Pod): number {
  const [inA, inB] = [requestsOf(a.spec), requestsOf(b.spec)];
  return (
    (inB.cpu ?? 0) - (inA.cpu ?? 0) ||
    (inB.memory ?? 0) - (inA.memory ?? 0) ||
    compare(a.metadata.creationTimestamp, b.metadata.creationTimestamp) ||
    compare(a.metadata.uid, b.metadata.uid)
  );
}

const compare = (a = '', b = ''): number => (a < b ? -1 : Number(a > b));

/**
 * The copy of a pod for a number of zones. Node infos are cached by the pod object, so the same copy has to be used
 * again.
 */
const relaxed = new WeakMap<Pod, Map<number, Pod>>();

/**
 * Every domain that the pools offer counts, also before a node is there: the zones of the offerings that the pod could
 * use; and an empty host can always be launched, so that the minimum over hosts is 0 (topologygroup.go).
 */
function withOfferedDomains(pod: Pod, offered: readonly Offering[]): Pod {
  const constraints = pod.spec.topologySpreadConstraints;
  if (constraints === undefined) return pod;
  const zones = new Set(selected(offered, pod).map(({ zone }) => zone)).size;
  const copies = relaxed.get(pod) ?? new Map<number, Pod>();
  relaxed.set(pod, copies);
  const copy = copies.get(zones) ?? {
    ...pod,
    spec: { ...pod.spec, topologySpreadConstraints: constraints.map(counted) },
  };
  copies.set(zones, copy);
  return copy;

  function counted(one: TopologySpreadConstraint): TopologySpreadConstraint {
    if (one.topologyKey === 'kubernetes.io/hostname') return { ...one, minDomains: Number.MAX_SAFE_INTEGER };
    if (one.topologyKey !== 'topology.kubernetes.io/zone') return one;
    return { ...one, minDomains: Math.max(one.minDomains ?? 1, zones) };
  }
}

/** A pod, and the variant that is tried: with preferences as requirements. */
interface Tried {
  readonly pod: Pod;
  readonly as: Pod;
  readonly needs: VolumeNeeds | undefined;
}

function addPod(packing: Packing, { pod, tries }: Queued, sources: readonly PoolOfferings[]): Packing {
  const needs = packing.needsOf(pod);
  for (const as of tries) {
    const added = tryPod(packing, { pod, as, needs }, sources);
    if (added !== undefined) return added;
  }
  return { ...packing, unplaced: [...packing.unplaced, pod] };
}

function tryPod(packing: Packing, tried: Tried, sources: readonly PoolOfferings[]): Packing | undefined {
  const { existing, planned } = packing;
  const { pod } = tried;
  const all = [...existing, ...planned.map(({ node }) => node)];
  const there = existing.find((node) => isFeasible(tried, node, all));
  if (there !== undefined)
    return {
      ...packing,
      existing: existing.map((node) => (node === there ? withPodAdded(node, pod) : node)),
      placed: new Map([...packing.placed, [keyOf(pod), there.name]]),
    };
  for (const inFlight of planned) {
    const grown = withPod(inFlight, tried, all);
    if (grown !== undefined) return { ...packing, planned: planned.map((one) => (one === inFlight ? grown : one)) };
  }
  for (const source of sources) {
    const started = newNode(source, tried, all, planned.length);
    if (started !== undefined) return { ...packing, planned: [...planned, started] };
  }
  return undefined;
}

/**
 * The volumes' zones count for the node, and not for the domains of spread constraints (volumetopology.go,
 * GetRequirements).
 */
const isFeasible = ({ as, needs }: Omit<Tried, 'pod'>, node: NodeInfo, all: readonly NodeInfo[]): boolean =>
  nodeObstacle(as.spec, node) === undefined &&
  needs?.obstacleAt(node.labels) === undefined &&
  topologyObstacle(as, node, all) === undefined;

/**
 * The planned node with the pod too, of another type in the same zone if need be; undefined if the pod does not fit.
 */
function withPod(
  inFlight: InFlightNode,
  { pod, as, needs }: Tried,
  all: readonly NodeInfo[],
): InFlightNode | undefined {
  const requests = plus(inFlight.requests, requestsOf(pod.spec));
  const offerings = selected(inFlight.offerings, as);
  const offering = cheapestThatFits(offerings, requests);
  if (offering === undefined) return undefined;
  const node = { ...inFlight.node, labels: labelsOf(offering, inFlight.node.name) };
  if (!isFeasible({ as, needs }, node, all)) return undefined;
  return { ...inFlight, offerings, requests, offering, pods: [...inFlight.pods, pod], node: withPodAdded(node, pod) };
}

const labelsOf = ({ labels }: Offering, name: string) => ({ ...labels, 'kubernetes.io/hostname': name });

/** A new node for the pod, in the zone that its spread constraints prefer; without a preference in the first zone. */
function newNode(
  source: PoolOfferings,
  tried: Tried,
  all: readonly NodeInfo[],
  ordinal: number,
): InFlightNode | undefined {
  const usable = selected(source.offerings, tried.as);
  const candidates = [...new Set(usable.map(({ zone }) => zone))]
    .flatMap((zone) => emptyNode(source, inZone(usable, zone), ordinal))
    .map((inFlight) => ({ inFlight, nodes: [...all, inFlight.node] }))
    .sort(
      (a, b) => spreadScore(tried.pod, a.inFlight.node, a.nodes) - spreadScore(tried.pod, b.inFlight.node, b.nodes),
    );
  for (const { inFlight, nodes } of candidates) {
    const filled = withPod(inFlight, tried, nodes);
    if (filled !== undefined) return filled;
  }
  return undefined;
}

/** Begins with the room of the largest offerings; its pods decide which offering it becomes. */
function emptyNode(source: PoolOfferings, offerings: readonly Offering[], ordinal: number): readonly InFlightNode[] {
  const [first] = offerings;
  if (first === undefined) return [];
  const name = `planned-${source.pool.metadata.name}-${ordinal}`;
  const labels = labelsOf(first, name);
  const taints = source.pool.spec.template.spec.taints ?? [];
  const bare: NodeInfo = { name, labels, taints, free: most(offerings), pods: [] };
  const daemons = source.daemons.filter((spec) => nodeObstacle(spec, bare) === undefined);
  const requests = daemons.reduce((sum, spec) => plus(sum, requestsOf(spec)), {} as Amounts);
  const node = { ...bare, free: plus(bare.free, requests, -1) };
  return [{ source, offerings, node, requests, pods: [], offering: first }];
}

const inZone = (offerings: readonly Offering[], zone: string): readonly Offering[] =>
  offerings.filter((offering) => offering.zone === zone);

/** Those with the labels that the pod asks for. */
function selected(offerings: readonly Offering[], { spec }: Pod): readonly Offering[] {
  const asks = spec.nodeSelector !== undefined || spec.affinity?.nodeAffinity !== undefined;
  return asks ? offerings.filter(({ labels }) => matchesNodeSelection(spec, labels)) : offerings;
}

/** For each resource the largest amount that one of them has. */
function most(offerings: readonly Offering[]): Amounts {
  const all: Record<string, number> = {};
  for (const { allocatable } of offerings)
    for (const [name, amount] of Object.entries(allocatable)) all[name] = Math.max(all[name] ?? 0, amount);
  return all;
}
