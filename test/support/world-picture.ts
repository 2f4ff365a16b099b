import type { EmbeddedCluster } from '@holdfast/embedded-cluster';
import { instanceState } from '../../packages/embedded-cluster/src/machines/instances.ts';
import type { Kind, Kinds } from '../../src/cluster/kinds.ts';
import type { Pod } from '../../src/cluster/resources.ts';

/**
 * A cluster as its owner knows it: the spec, labels and annotations of each object without what the server sets, the
 * zone's records, and nodes, claims and pods by count and ownership.
 */
export interface Picture {
  /** Objects by kind, namespace and name: they stay the same unless somebody changes them. */
  readonly objects: ReadonlyMap<string, string>;
  /** Objects by name and uid, because others may replace them. */
  readonly machines: ReadonlyMap<string, string>;
  readonly records: string;
  readonly claims: number;
  /** What is wrong for any cluster at rest, whatever happened before. */
  readonly unrest: readonly string[];
}

const lasting = [
  'DaemonSet',
  'Deployment',
  'EC2NodeClass',
  'Ingress',
  'Namespace',
  'NodePool',
  'PodDisruptionBudget',
  'Service',
] as const satisfies readonly Kind[];

type Cluster = Pick<ReturnType<EmbeddedCluster['kubernetes']>, 'list'>;
/** An embedded cluster, or the part that a client can see. */
export interface Pictured {
  kubernetes(user: string): Cluster;
  readonly zone: { list(): readonly object[] };
  readonly machines: Pick<EmbeddedCluster['machines'], 'instances'>;
}

export async function pictureOf(world: Pictured, nowAt: number): Promise<Picture> {
  const cluster = world.kubernetes('bystander');
  const objects = (await Promise.all(lasting.map((kind) => cluster.list(kind)))).flat() as readonly Kinds[Kind][];
  const claims = await cluster.list('NodeClaim');
  const nodes = await cluster.list('Node');
  return {
    objects: new Map(objects.map((object) => [nameOf(object), wanted(object)])),
    machines: new Map([...claims, ...nodes].map((one) => [`${nameOf(one)} ${one.metadata.uid}`, wanted(one)])),
    records: JSON.stringify(
      world.zone
        .list()
        .map((set) => JSON.stringify(set))
        .toSorted(),
    ),
    claims: claims.length,
    unrest: [
      ...(await podUnrest(cluster)),
      ...(await machineUnrest(cluster)),
      ...instanceUnrest(world, claims, nowAt),
      ...(await leftLeases(cluster, nowAt)),
    ],
  };
}

const nameOf = ({ kind, metadata }: Kinds[Kind]): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;

function wanted(object: Kinds[Kind]): string {
  const { labels = {}, annotations = {} } = object.metadata;
  return JSON.stringify({
    labels: sorted(labels),
    annotations: sorted(annotations),
    spec: 'spec' in object && object.spec,
  });
}

const sorted = (words: Readonly<Record<string, string>>) => Object.entries(words).toSorted();

/** Each Deployment has its pods, all ready, and no others; each DaemonSet has one on every node. */
async function podUnrest(cluster: Cluster): Promise<readonly string[]> {
  const [pods, sets, deployments, daemons, nodes] = await Promise.all([
    cluster.list('Pod'),
    cluster.list('ReplicaSet'),
    cluster.list('Deployment'),
    cluster.list('DaemonSet'),
    cluster.list('Node'),
  ]);
  const owned = (uid: string | undefined): readonly Pod[] => pods.filter((pod) => controllerOf(pod)?.uid === uid);
  const wrong = (name: string, mine: readonly Pod[], count: number) => {
    const ready = mine.filter(isReadyForGood).length;
    return mine.length === count && ready === count
      ? []
      : [`${name}: ${ready} of ${mine.length} pods ready, not ${count}`];
  };
  return [
    ...deployments.flatMap((deployment) => {
      const own = sets.filter((set) => controllerOf(set)?.uid === deployment.metadata.uid);
      const mine = own.flatMap(({ metadata }) => owned(metadata.uid));
      return wrong(nameOf(deployment), mine, deployment.spec.replicas ?? 1);
    }),
    ...daemons.flatMap((daemon) => wrong(nameOf(daemon), owned(daemon.metadata.uid), nodes.length)),
    ...pods.filter((pod) => controllerOf(pod) === undefined).map((pod) => `${nameOf(pod)} is nobody's`),
  ];
}

const controllerOf = ({ metadata }: Kinds[Kind]) => metadata.ownerReferences?.find(({ controller }) => controller);
const isReadyForGood = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

/** Every NodeClaim has its node, without marks and schedulable, and every node of a pool has its NodeClaim. */
async function machineUnrest(cluster: Cluster): Promise<readonly string[]> {
  const [nodes, claims, pools] = await Promise.all([
    cluster.list('Node'),
    cluster.list('NodeClaim'),
    cluster.list('NodePool'),
  ]);
  const hashes = new Set(pools.map(({ metadata }) => metadata.annotations?.[hash]));
  const claimed = new Set(claims.map(({ status }) => status?.nodeName));
  return [
    ...claims.flatMap((claim) => {
      const name = nameOf(claim);
      const { deletionTimestamp, annotations } = claim.metadata;
      const initialized = claim.status?.conditions?.some(
        ({ type, status }) => type === 'Initialized' && status === 'True',
      );
      return [
        ...(deletionTimestamp === undefined ? [] : [`${name} is going`]),
        ...(initialized ? [] : [`${name} is not Initialized`]),
        ...(hashes.has(annotations?.[hash]) ? [] : [`${name} has the hash ${annotations?.[hash]}`]),
        ...(nodes.some(({ metadata }) => metadata.name === claim.status?.nodeName) ? [] : [`${name} has no Node`]),
      ];
    }),
    ...nodes.flatMap((node) => {
      const pool = node.metadata.labels?.['karpenter.sh/nodepool'];
      const taints = (node.spec?.taints ?? []).filter(({ key }) => key !== 'CriticalAddonsOnly');
      return [
        ...(node.spec?.unschedulable ? [`${nameOf(node)} is cordoned`] : []),
        ...taints.map(({ key }) => `${nameOf(node)} has the taint ${key}`),
        ...(pool === undefined || claimed.has(node.metadata.name) ? [] : [`${nameOf(node)} has no NodeClaim`]),
      ];
    }),
  ];
}

const hash = 'karpenter.sh/nodepool-hash';

/** Every instance of a pool has its NodeClaim: no unused instance is left. */
function instanceUnrest(
  { machines }: Pictured,
  claims: readonly Kinds['NodeClaim'][],
  nowAt: number,
): readonly string[] {
  const claimed = new Set(claims.map(({ status }) => status?.providerID?.split('/').at(-1)));
  return [...machines.instances()]
    .filter((instance) => instance.tags['karpenter.sh/nodepool'] !== undefined && !claimed.has(instance.id))
    .filter((instance) => instanceState(instance, nowAt) !== 'terminated')
    .map(({ id }) => `instance ${id} has no NodeClaim`);
}

/** A lease that could not be released expires. */
async function leftLeases(cluster: Cluster, nowAt: number): Promise<readonly string[]> {
  const leases = await cluster.list('Lease', { fieldSelector: 'metadata.name=holdfast' });
  return leases.flatMap((lease) => {
    const { holderIdentity = '', renewTime = '', leaseDurationSeconds = 0 } = lease.spec;
    const isOver = Date.parse(renewTime) + 1000 * leaseDurationSeconds < nowAt;
    return isOver ? [] : [`${nameOf(lease)} is held by ${holderIdentity}`];
  });
}

/** What a run may leave: the objects that it applied, and another number of nodes, which the autoscaler adjusts. */
export interface Expected {
  readonly before: Picture;
  readonly applied: Picture;
  readonly claims: { readonly least: number; readonly most: number };
}

/** What a run that ended before its application was running may leave: nodes in another order, or none. */
export function expectedHalfWay({ before, applied, claims }: Expected): Expected {
  return { before, applied: { ...applied, machines: new Map() }, claims: { ...claims, least: 0 } };
}

/** What is not as before, one sentence each. */
export function differences(now: Picture, { before, applied, claims }: Expected): readonly string[] {
  const changed = [...now.objects].filter(
    ([name, text]) => ![before, applied].some(({ objects }) => objects.get(name) === text),
  );
  const machines = [...now.machines].filter(([name, text]) => {
    const was = before.machines.get(name) ?? applied.machines.get(name);
    return was !== undefined && was !== text;
  });
  const gone = [...before.objects.keys()].filter((name) => !now.objects.has(name));
  return [
    ...changed.map(([name, text]) => `${name} is ${text}, and was ${applied.objects.get(name)}`),
    ...machines.map(([name, text]) => `${name} is ${text}, and was ${applied.machines.get(name)}`),
    ...gone.map((name) => `${name} is gone`),
    ...([before.records, applied.records].includes(now.records) ? [] : [`the zone holds ${now.records}`]),
    ...(now.claims >= claims.least && now.claims <= claims.most ? [] : [`${now.claims} NodeClaims`]),
    ...now.unrest,
  ];
}
