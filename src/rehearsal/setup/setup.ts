import type { Resource } from '../../cluster/kinds.ts';
import { type InstanceType, instanceTypes } from '../machines/instance-types.ts';
import type { Machines } from '../machines/machines.ts';
import { type Delays, delays } from '../time/delays.ts';
import type { Installed } from './site.ts';
import { type Surroundings, usualSurroundings } from './surroundings.ts';

/** What a world is made of: everything in it that could be otherwise. */
export interface Setup {
  readonly delays: Delays;
  readonly surroundings: Surroundings;
  readonly starting: Starting;
  readonly autoscaler: AutoscalerHabits;
  readonly application: ApplicationHabits;
  /** The operator's own SOA minimum: Route 53's default would keep "no such name" for 900 s (facts 4.0). */
  readonly negativeTtlSeconds: number;
  /** What a mutating webhook makes of an object that comes over the wire. */
  readonly admit: <T extends object>(object: T) => T;
  /** The controllers that run, derived from those of a healthy cluster. */
  readonly controllers: (healthy: readonly Installed[], machines: Machines) => readonly Installed[];
  readonly wire: WireHabits;
}

/** What somebody installed before the procedure comes. */
export interface Starting {
  readonly ingressReplicas: number;
  readonly ingressType: 'LoadBalancer' | 'ClusterIP';
  readonly dnsAutomationReplicas: number;
  readonly autoscalerReplicas: number;
  /** Karpenter hears of dying instances at once, through a queue. */
  readonly interruptionQueue: boolean;
  readonly more: readonly Resource[];
}

export interface AutoscalerHabits {
  readonly keepsBudgets: boolean;
  /** How many nodes one drifted node takes with it, itself included. */
  readonly nodesPerDrift: number;
  /** Evicts, so that disruption budgets are asked; else deletes. */
  readonly evicts: boolean;
  /** A node with this many pods still counts as empty. */
  readonly emptyUpTo: number;
  readonly catalogue: readonly InstanceType[];
  readonly heedsRequirements: boolean;
  /** In the place of the pool's own. */
  readonly expireAfter: string | undefined;
}

/** What the application does when this many requests are under way in one of its pods. */
export interface ApplicationHabits {
  readonly failsFrom: number;
  readonly crashesFrom: number;
}

/** What lies between the product and the embedded cluster. */
export interface WireHabits {
  /** The prober's machine stands still for so long, once in each period. */
  readonly stallSeconds: number;
  readonly stallPeriodSeconds: number;
  /** From so long after the first write that disrupts, the API server cannot be reached; undefined: it always can. */
  readonly apiLostAfterSeconds: number | undefined;
}

/** A cluster as one would wish it, with everything that 4.2 demands of its surroundings. */
export const healthy: Setup = {
  delays,
  surroundings: usualSurroundings,
  starting: {
    ingressReplicas: 2,
    ingressType: 'LoadBalancer',
    dnsAutomationReplicas: 1,
    autoscalerReplicas: 2,
    interruptionQueue: false,
    more: [],
  },
  autoscaler: {
    keepsBudgets: true,
    nodesPerDrift: 1,
    evicts: true,
    emptyUpTo: 0,
    catalogue: instanceTypes,
    heedsRequirements: true,
    expireAfter: undefined,
  },
  application: { failsFrom: Number.POSITIVE_INFINITY, crashesFrom: Number.POSITIVE_INFINITY },
  negativeTtlSeconds: 60,
  admit: (object) => object,
  controllers: (healthy) => healthy,
  wire: { stallSeconds: 0, stallPeriodSeconds: Number.POSITIVE_INFINITY, apiLostAfterSeconds: undefined },
};
