import { ownPorts } from '../kubelet/listening.ts';
import { longRunning } from '../kubelet/pod-containers.ts';
import type { Node, Pod, Service } from '../kubernetes/resources.ts';
import { type Container, never } from '../machines/containers.ts';
import { type Instance, instanceIdOf } from '../machines/instances.ts';
import { isTrue } from '../objects/conditions.ts';
import { isFinished, isPodReady } from '../objects/pods.ts';
import { instantOf } from '../objects/timestamps.ts';

const typeLabel = 'node.kubernetes.io/instance-type';
const zoneLabel = 'topology.kubernetes.io/zone';
const regionLabel = 'topology.kubernetes.io/region';

/** The instance id of a node's machine: the end of its provider id, or its name where nothing provided it. */
export const machineIdOf = ({ metadata, spec }: Node): string => instanceIdOf(spec?.providerID ?? '') || metadata.name;

/** The machine of a Node at an instant: it runs as long as the Node does, and its kubelet does if the Node is Ready. */
export function machineOf(node: Node, ordinal: number, at: number): Instance {
  const { labels = {}, name, creationTimestamp } = node.metadata;
  const createdAt = creationTimestamp === undefined ? at : Math.min(at, instantOf(creationTimestamp));
  const startsAt = isTrue(node, 'Ready') ? createdAt : never;
  const address = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
  const { images = [] } = (node.status ?? {}) as {
    readonly images?: readonly { readonly names?: readonly string[] }[];
  };
  return {
    id: machineIdOf(node),
    ordinal,
    type: labels[typeLabel] ?? '',
    zone: labels[zoneLabel] ?? '',
    region: labels[regionLabel] ?? '',
    capacityType: labels['karpenter.sh/capacity-type'] === 'spot' ? 'spot' : 'on-demand',
    nodeName: name,
    address: address ?? `10.0.${16 + (ordinal >> 8)}.${ordinal & 255}`,
    labels: {},
    taints: [],
    tags: {},
    launchedAt: createdAt,
    runningAt: createdAt,
    kubeletAt: startsAt,
    readyAt: startsAt,
    images: Object.fromEntries(images.flatMap(({ names = [] }) => names.map((image) => [image, createdAt]))),
  };
}

/**
 * The containers of a pod on a machine at an instant. Those of a ready pod have listened since they started; those of
 * one that is not ready never do, so that it stays as it is.
 */
export function containersOf(
  pod: Pod,
  instance: Instance,
  services: Iterable<Service>,
  at: number,
): readonly Container[] {
  if (pod.status?.phase === 'Pending' || isFinished(pod)) return [];
  const startedAt = pod.status?.startTime ?? pod.metadata.creationTimestamp;
  const createdAt = startedAt === undefined ? at : Math.min(at, instantOf(startedAt));
  const startsAt = isPodReady(pod) ? createdAt : never;
  const address = pod.spec.hostNetwork ? instance.address : (pod.status?.podIP ?? instance.address);
  return longRunning(pod.spec).map((spec) => ({
    id: `${pod.metadata.uid}/${spec.name}/0`,
    podKey: `${pod.metadata.namespace}/${pod.metadata.name}`,
    podUid: pod.metadata.uid ?? '',
    name: spec.name,
    image: spec.image,
    instanceId: instance.id,
    address,
    ports: ownPorts(spec, pod, services),
    hasEveryPage: true,
    restarts: 0,
    createdAt,
    startsAt,
    listensAt: startsAt,
    seenAt: startsAt,
    ...(startsAt === never ? { unpulled: { reason: 'ErrImagePull', failsAt: never } } : {}),
  }));
}
