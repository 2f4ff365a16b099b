import type { Resource } from '../kubernetes/kinds.ts';
import { type InstanceType, instanceTypes } from '../machines/instance-types.ts';
import type { Machines } from '../machines/machines.ts';
import type { OwnBehaviours } from '../machines/own-behaviours.ts';
import { type Delays, delays } from '../time/delays.ts';
import type { Installed } from './site.ts';
import { type Surroundings, usualSurroundings } from './surroundings.ts';

/** Everything about an embedded cluster that a defect or the settings can change. */
export interface Setup {
  readonly delays: Delays;
  readonly surroundings: Surroundings;
  readonly starting: Starting;
  readonly autoscaler: AutoscalerBehaviour;
  readonly application: ApplicationBehaviour;
  /**
   * The negative TTL of the zone (RFC 2308, section 5): how long resolvers keep "no such name". Route 53's own SOA
   * record would make it 900 s (`docs/facts/dns.md`, "What resolvers keep").
   */
  readonly negativeTtlSeconds: number;
  /** The mutating admission webhook: changes each object that a client writes through the API server. */
  readonly admit: <T extends object>(object: T) => T;
  /** The controllers that run, derived from those of a healthy cluster. */
  readonly controllers: (healthy: readonly Installed[], machines: Machines) => readonly Installed[];
}

/** What is installed in the cluster at the start. */
export interface Starting {
  readonly ingressReplicas: number;
  readonly ingressType: 'LoadBalancer' | 'ClusterIP';
  readonly dnsAutomationReplicas: number;
  readonly autoscalerReplicas: number;
  readonly more: readonly Resource[];
}

export interface AutoscalerBehaviour {
  readonly respectsBudgets: boolean;
  /** How many nodes are replaced for one drifted node, itself included. */
  readonly nodesPerDriftedNode: number;
  /** True: pods are evicted, so that PodDisruptionBudgets apply. False: pods are deleted. */
  readonly evicts: boolean;
  /** A node with at most this many pods counts as empty. */
  readonly maximumPodsOfEmptyNode: number;
  readonly catalogue: readonly InstanceType[];
  readonly capacityTypes: readonly CapacityType[];
  readonly respectsRequirements: boolean;
  /** Replaces the pool's `expireAfter`. */
  readonly expireAfter: string | undefined;
}

/** How EC2 sells a machine; interruptions of the spot market are not modelled. */
export type CapacityType = 'on-demand' | 'spot';

/** A request that finds this many others in progress in its pod is answered with 500, or crashes the container. */
export interface ApplicationBehaviour {
  readonly failsFrom: number;
  readonly crashesFrom: number;
  /** The manifests are the user's: the ports of the images follow from the manifests, and every path has a page. */
  readonly own: OwnBehaviours | undefined;
}

/** A cluster without defects. */
export const healthy: Setup = {
  delays,
  surroundings: usualSurroundings,
  starting: {
    ingressReplicas: 2,
    ingressType: 'LoadBalancer',
    dnsAutomationReplicas: 1,
    autoscalerReplicas: 2,
    more: [],
  },
  autoscaler: {
    respectsBudgets: true,
    nodesPerDriftedNode: 1,
    evicts: true,
    maximumPodsOfEmptyNode: 0,
    catalogue: instanceTypes,
    capacityTypes: ['on-demand'],
    respectsRequirements: true,
    expireAfter: undefined,
  },
  application: {
    failsFrom: Number.POSITIVE_INFINITY,
    crashesFrom: Number.POSITIVE_INFINITY,
    own: undefined,
  },
  negativeTtlSeconds: 60,
  admit: (object) => object,
  controllers: (healthy) => healthy,
};
