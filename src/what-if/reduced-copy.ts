import { type Amounts, amounts, type Kinds, type NodeInfo, nodeObstacle, requestsOf } from '@holdfast/embedded-cluster';
import { type CopiedObject, type Copy, keyOf, ofKind } from '../copy/copy.ts';
import type { Facts } from './facts.ts';

type Pod = Kinds['Pod'];

/** Kinds of which all objects count, whatever the workloads. */
const whole = new Set(['NodePool', 'EC2NodeClass', 'StorageClass', 'PriorityClass']);
const owning = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'Job']);

/**
 * The copy for the drain of one node, with these workloads alone, and Karpenter: on that node, the nodes of the
 * workloads, and of every zone those with the most room among the nodes that could take a pod. Of each node there is as
 * much room as the pods that are left out leave.
 */
export function reducedCopy(facts: Facts, node: string, ids: readonly string[]): Copy {
  const pods = podsOf(facts, ids);
  const nodes = nodesOf(facts, node, pods);
  const kept = new Set(pods.map(keyOf));
  const owners = ownersOf(facts.copy, pods);
  const namespaces = new Set(pods.flatMap(({ metadata }) => metadata.namespace ?? []));
  const claims = new Set(pods.flatMap((pod) => claimsOf(pod)));
  const budgets = new Set(pods.flatMap((pod) => facts.budgetsOf(pod).map(keyOf)));
  const images = new Set(pods.flatMap(({ spec }) => spec.containers.map(({ image }) => image)));
  const belongs: Readonly<Record<string, (object: CopiedObject) => boolean>> = {
    Namespace: ({ metadata }) => namespaces.has(metadata.name),
    Service: (object) => pods.some((pod) => isFor(object as unknown as Kinds['Service'], pod)),
    NodeClaim: (object) => nodes.has((object as unknown as Kinds['NodeClaim']).status?.nodeName ?? ''),
    PodDisruptionBudget: (object) => budgets.has(keyOf(object)),
    PersistentVolumeClaim: (object) => claims.has(keyOf(object)),
    PersistentVolume: (object) => claims.has(claimOf(object as unknown as Kinds['PersistentVolume'])),
  };
  const objects = [...facts.copy.objects].map(([kind, all]): readonly [string, readonly CopiedObject[]] => {
    if (kind === 'Node')
      return [kind, nodesLeft(facts, kept, images).filter(({ metadata }) => nodes.has(metadata.name))];
    if (kind === 'Pod') return [kind, pods as readonly unknown[] as readonly CopiedObject[]];
    if (owning.has(kind)) return [kind, all.filter(({ metadata }) => owners.has(metadata.uid ?? ''))];
    return [kind, whole.has(kind) ? all : all.filter(belongs[kind] ?? (() => false))];
  });
  return { ...facts.copy, objects: new Map(objects) };
}

/** The pods of the workloads, those that share a budget with them, and Karpenter's. */
function podsOf(facts: Facts, ids: readonly string[]): readonly Pod[] {
  const own = ids.flatMap((id) => facts.ofWorkload.get(id) ?? []);
  const budgets = new Set(own.flatMap((pod) => facts.budgetsOf(pod).map(keyOf)));
  const sharing = [...budgets].flatMap((key) => facts.ofBudget.get(key) ?? []);
  const karpenter = facts.copy.objects.has('NodePool') ? [...facts.ofWorkload.values()].flat().filter(isKarpenter) : [];
  const ofAll = [...own, ...sharing, ...karpenter];
  const wanted = new Set(ofAll.map(facts.idOfPod));
  return [...new Set([...ofAll, ...[...wanted].flatMap((id) => facts.ofWorkload.get(id) ?? [])])];
}

const isKarpenter = ({ spec }: Pod): boolean => spec.containers.some(({ image }) => /karpenter/.test(image));

/** So many in each zone are enough for the few pods of one node. */
const nodesOfZone = 4;

function nodesOf(facts: Facts, node: string, pods: readonly Pod[]): ReadonlySet<string> {
  const zoneOf = ({ labels }: NodeInfo) => labels['topology.kubernetes.io/zone'] ?? '';
  const others = facts.nodes.filter(({ name }) => name !== node);
  const roomiest = others.toSorted((a, b) => (b.free.cpu ?? 0) - (a.free.cpu ?? 0));
  const moved = pods.filter(({ spec }) => spec.nodeName === node);
  const candidates = moved.flatMap(({ spec: { nodeName: _, ...spec } }) => {
    const able = roomiest.filter((one) => nodeObstacle(spec, one) === undefined);
    // The scheduler's words count all nodes.
    if (able.length === 0) return others;
    return [...Map.groupBy(able, zoneOf).values()].flatMap((ofZone) => ofZone.slice(0, nodesOfZone));
  });
  return new Set([node, ...pods.flatMap(({ spec }) => spec.nodeName ?? []), ...candidates.map(({ name }) => name)]);
}

const isFor = ({ metadata, spec }: Kinds['Service'], pod: Pod): boolean =>
  metadata.namespace === pod.metadata.namespace &&
  Object.entries(spec.selector ?? {}).every(([key, value]) => pod.metadata.labels?.[key] === value);

/** The uids of everything that owns the pods, and what owns that. */
function ownersOf(copy: Copy, pods: readonly Pod[]): ReadonlySet<string> {
  const direct = new Set(pods.flatMap(ownerUids));
  const between = [...ofKind(copy, 'ReplicaSet'), ...ofKind(copy, 'Job')];
  const above = between.filter(({ metadata }) => direct.has(metadata.uid ?? '')).flatMap(ownerUids);
  return new Set([...direct, ...above]);
}

const ownerUids = ({ metadata }: Pick<CopiedObject, 'metadata'>): readonly string[] =>
  metadata.ownerReferences?.map(({ uid }) => uid) ?? [];

const claimsOf = ({ metadata: { namespace }, spec: { volumes = [] } }: Pod): readonly string[] =>
  volumes.flatMap(({ persistentVolumeClaim: claim }) => (claim === undefined ? [] : `${namespace}/${claim.claimName}`));

const claimOf = ({ spec: { claimRef } }: Kinds['PersistentVolume']): string =>
  `${claimRef?.namespace}/${claimRef?.name}`;

function nodesLeft(facts: Facts, kept: ReadonlySet<string>, images: ReadonlySet<string>): readonly CopiedObject[] {
  return ofKind(facts.copy, 'Node').map((node) => {
    const others = (facts.onNode.get(node.metadata.name) ?? []).filter((pod) => !kept.has(keyOf(pod)));
    const { allocatable = {}, images: all = [], ...status } = (node.status ?? {}) as Status;
    const left = less(
      amounts(allocatable),
      others.map(({ spec }) => requestsOf(spec)),
    );
    const there = all.filter(({ names = [] }) => names.some((name) => images.has(name)));
    return { ...node, status: { ...status, allocatable: left, images: there } } as unknown as CopiedObject;
  });
}

type Status = NonNullable<Kinds['Node']['status']> & {
  readonly images?: readonly { readonly names?: readonly string[] }[];
};

/** In thousandths, because quantities have no other fractions. */
function less(all: Amounts, used: readonly Amounts[]): Readonly<Record<string, string>> {
  const left = Object.entries(all).map(([name, amount]) => {
    const taken = used.reduce((sum, one) => sum + (one[name] ?? 0), 0);
    return [name, `${Math.max(0, Math.floor(1000 * (amount - taken)))}m`] as const;
  });
  return Object.fromEntries(left);
}
