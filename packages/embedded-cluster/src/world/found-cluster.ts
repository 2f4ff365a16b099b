import { createApiServer } from '../api-server/api-server.ts';
import { identities } from '../api-server/identities.ts';
import { strategyOf } from '../api-server/strategies/strategies.ts';
import { leaseOf } from '../controllers/kubelet-lease.ts';
import type { Resource } from '../kubernetes/kinds.ts';
import type { Node } from '../kubernetes/resources.ts';
import { isTrue } from '../objects/conditions.ts';
import { collectionOf, createObjects, type StoredObject } from '../objects/objects.ts';
import { timestamp } from '../objects/timestamps.ts';
import { randomStreams } from '../outside/random.ts';
import { containersOf, machineIdOf, machineOf } from './found-machines.ts';
import { settled } from './found-objects.ts';
import { storageClasses } from './storage-classes.ts';
import type { SavedWorld } from './world.ts';

/** A cluster as it was found elsewhere. */
export interface FoundCluster {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Nodes, pods, workloads, budgets, pools …, as its API server had them; uids tie them together. */
  readonly objects: readonly Resource[];
}

/**
 * A world that begins as that cluster was: the same nodes with their capacity, labels and taints, the pods in place and
 * ready since they were, every object as its controllers left it. Machines stand for the nodes, whoever provided them;
 * the node of one that is not Ready has no kubelet. A pod that was not ready stays so.
 */
export function foundWorld({ at, objects }: FoundCluster): SavedWorld {
  const named = objects.filter(({ metadata, kind }) => metadata.namespace !== leases || kind !== 'Lease');
  const found = settled(completed(withNamespaces(named), at)).map((object) =>
    object.kind === 'Node' ? withProvider(object) : object,
  );
  const nodes = found.filter((object): object is Node => object.kind === 'Node');
  const instances = nodes.map((node, index) => machineOf(node, index + 1, at));
  const byNode = new Map(instances.map((instance) => [instance.nodeName, instance] as const));
  const services = Map.groupBy(
    found.filter((object) => object.kind === 'Service'),
    ({ metadata }) => metadata.namespace,
  );
  const containers = found.flatMap((object) => {
    const instance = object.kind === 'Pod' ? byNode.get(object.spec.nodeName ?? '') : undefined;
    if (object.kind !== 'Pod' || instance === undefined) return [];
    return containersOf(object, instance, services.get(object.metadata.namespace) ?? [], at);
  });
  const images = Map.groupBy(containers, ({ instanceId }) => instanceId);
  const heartbeats = nodes.filter((node) => isTrue(node, 'Ready')).map((node) => leaseOf(node, at));
  return {
    version: 1,
    at,
    apiServer: stored([...found, ...heartbeats], at),
    machines: {
      instances: instances.map((instance) => {
        const running = (images.get(instance.id) ?? []).map(({ image }) => [image, instance.launchedAt] as const);
        return { ...instance, images: { ...instance.images, ...Object.fromEntries(running) } };
      }),
      containers,
    },
    loadBalancers: [],
    zone: [],
  };
}

const leases = 'kube-node-lease';

/** With the defaults of the API, which its server would add at the first write of a controller otherwise. */
function completed(objects: readonly Resource[], at: number): readonly Resource[] {
  const now = () => timestamp(at);
  const api = { objects: createObjects(), identities: identities(randomStreams('found')), now, allows: () => true };
  return objects.map((object) => {
    const whole = object as unknown as StoredObject;
    const { complete } = strategyOf({ collection: collectionOf(whole) });
    return (complete?.(whole, undefined, api) ?? whole) as unknown as Resource;
  });
}

/** Machines are found by provider ids: a node that nobody provided gets one. */
function withProvider(node: Node): Node {
  return node.spec?.providerID
    ? node
    : { ...node, spec: { ...node.spec, providerID: `found:///${machineIdOf(node)}` } };
}

function withNamespaces(objects: readonly Resource[]): readonly Resource[] {
  const there = new Set(objects.flatMap(({ kind, metadata }) => (kind === 'Namespace' ? [metadata.name] : [])));
  const used = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  const missing = [...used].filter((name) => !there.has(name)).sort();
  return [
    ...missing.map((name): Resource => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    ...objects,
  ];
}

/** Those objects besides the ones that every API server begins with. */
function stored(objects: readonly Resource[], at: number): SavedWorld['apiServer'] {
  const clock = { wallAt: () => at, sleep: async () => undefined };
  const fresh = createApiServer({ clock, random: randomStreams('found'), initial: storageClasses }).save();
  const keyOf = (object: StoredObject) =>
    `${collectionOf(object)} ${object.metadata.namespace ?? ''}/${object.metadata.name}`;
  const hasClasses = objects.some(({ kind }) => kind === 'StorageClass');
  const initial = fresh.objects.filter(({ kind }) => !(hasClasses && kind === 'StorageClass'));
  const byKey = new Map(initial.map((object) => [keyOf(object), object] as const));
  let revision = fresh.revision;
  for (const object of objects as readonly unknown[] as readonly StoredObject[]) {
    revision += 1;
    const uid = object.metadata.uid ?? `found-${revision}`;
    byKey.set(keyOf(object), { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(revision) } });
  }
  return { revision, objects: [...byKey.values()], drawn: fresh.drawn };
}
