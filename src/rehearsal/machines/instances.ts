import type { Taint } from '../../cluster/resources.ts';

/** One EC2 instance, as the instants at which things happen to it, epoch milliseconds. */
export interface Instance {
  readonly id: string;
  /** The how manieth instance of the world it is; its addresses follow from it. */
  readonly ordinal: number;
  readonly type: string;
  readonly zone: string;
  readonly region: string;
  readonly capacityType: 'on-demand' | 'spot';
  /** The private DNS name, which is the name of its Node. */
  readonly nodeName: string;
  readonly address: string;
  /** What its kubelet registers its Node with. */
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly tags: Readonly<Record<string, string>>;
  readonly launchedAt: number;
  readonly runningAt: number;
  /** Its kubelet asks for a Node. */
  readonly kubeletAt: number;
  /** Its network plugin is ready, and so is its Node. */
  readonly readyAt: number;
  /** Since when, or from when on, each image is on its disk. */
  readonly images: Readonly<Record<string, number>>;
  readonly terminateAskedAt?: number;
  /** From here on it swallows packets. */
  readonly poweredOffAt?: number;
  readonly terminatedAt?: number;
}

/** What EC2 is asked for. */
export interface InstanceWish extends Pick<Instance, 'type' | 'zone' | 'capacityType' | 'labels' | 'taints' | 'tags'> {
  /** Up and ready at once, with these images: a machine that was there before the world began. */
  readonly warm?: readonly string[];
}

export type InstanceState = 'pending' | 'running' | 'shutting-down' | 'terminated';

/** As DescribeInstances says it. */
export function instanceState(instance: Instance, at: number): InstanceState {
  if (at >= (instance.terminatedAt ?? Number.POSITIVE_INFINITY)) return 'terminated';
  if (instance.terminateAskedAt !== undefined) return 'shutting-down';
  return at >= instance.runningAt ? 'running' : 'pending';
}

export const isPoweredOn = (instance: Instance, at: number): boolean =>
  at >= instance.runningAt && at < (instance.poweredOffAt ?? Number.POSITIVE_INFINITY);

/** The kubelet lives as long as its machine. */
export const kubeletRuns = (instance: Instance, at: number): boolean =>
  at >= instance.kubeletAt && isPoweredOn(instance, at);

/** `spec.providerID` of its Node. */
export const providerIdOf = (instance: Pick<Instance, 'zone' | 'id'>): string =>
  `aws:///${instance.zone}/${instance.id}`;

/** The instance id at the end of a provider id. */
export const instanceIdOf = (providerId: string): string => providerId.slice(providerId.lastIndexOf('/') + 1);
