import type { Taint } from '../kubernetes/resources.ts';

/** One EC2 instance. Members that end in `At` are the instants at which something happens to it, epoch milliseconds. */
export interface Instance {
  readonly id: string;
  /** Counts the instances of a world from 1; the addresses are derived from it. */
  readonly ordinal: number;
  readonly type: string;
  readonly zone: string;
  readonly region: string;
  readonly capacityType: 'on-demand' | 'spot';
  /** The private DNS name, which is the name of its Node. */
  readonly nodeName: string;
  readonly address: string;
  /** Labels and taints with which its kubelet registers the Node. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly tags: Readonly<Record<string, string>>;
  readonly launchedAt: number;
  readonly runningAt: number;
  /** Its kubelet creates the Node. */
  readonly kubeletAt: number;
  /** Its network plugin is ready, so its Node becomes Ready. */
  readonly readyAt: number;
  /** When each image is on its disk, by name; may be in the future. */
  readonly images: Readonly<Record<string, number>>;
  readonly terminateAskedAt?: number;
  /** From here on packets to it are dropped. */
  readonly poweredOffAt?: number;
  readonly terminatedAt?: number;
}

/** What EC2 is asked to launch. */
export interface LaunchRequest extends Pick<Instance, 'type' | 'zone' | 'capacityType' | 'labels' | 'taints' | 'tags'> {
  /** Running and ready at once, with these images on its disk: an instance that is older than the world. */
  readonly bootedWithImages?: readonly string[];
}

export type InstanceState = 'pending' | 'running' | 'shutting-down' | 'terminated';

/** As DescribeInstances returns it. */
export function instanceState(instance: Instance, at: number): InstanceState {
  if (at >= (instance.terminatedAt ?? Number.POSITIVE_INFINITY)) return 'terminated';
  if (instance.terminateAskedAt !== undefined) return 'shutting-down';
  return at >= instance.runningAt ? 'running' : 'pending';
}

export const isPoweredOn = (instance: Instance, at: number): boolean =>
  at >= instance.runningAt && at < (instance.poweredOffAt ?? Number.POSITIVE_INFINITY);

/** The kubelet runs from its start until its machine is off. */
export const kubeletRuns = (instance: Instance, at: number): boolean =>
  at >= instance.kubeletAt && isPoweredOn(instance, at);

/** `spec.providerID` of its Node. */
export const providerIdOf = (instance: Pick<Instance, 'zone' | 'id'>): string =>
  `aws:///${instance.zone}/${instance.id}`;

/** The instance id at the end of a provider id. */
export const instanceIdOf = (providerId: string): string => providerId.slice(providerId.lastIndexOf('/') + 1);
