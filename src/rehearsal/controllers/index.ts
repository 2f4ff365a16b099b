import type { Zone } from '../dns/zone.ts';
import type { Program } from '../machines/images.ts';
import type { LoadBalancers } from '../machines/load-balancers.ts';
import type { Machines } from '../machines/machines.ts';
import type { Setup } from '../setup/setup.ts';
import type { Controller } from '../setup/site.ts';
import { claimGc } from './claim-gc.ts';
import { cloudNode, cloudNodeLifecycle } from './cloud-node.ts';
import { daemonSet } from './daemon-set.ts';
import { deployment } from './deployment.ts';
import { disruption } from './disruption.ts';
import { disruptionBudget } from './disruption-budget.ts';
import { dnsAutomation } from './dns-automation.ts';
import { endpointSlice } from './endpoint-slice.ts';
import { eventExpiry } from './event-expiry.ts';
import { expiration } from './expiration.ts';
import { garbageCollector } from './garbage-collector.ts';
import { ingressStatus } from './ingress-status.ts';
import { interruption } from './interruption.ts';
import { kubelet } from './kubelet.ts';
import { kubeletLease } from './kubelet-lease.ts';
import { kubeletNode } from './kubelet-node.ts';
import { leaderElection } from './leader-election.ts';
import { loadBalancer } from './load-balancer.ts';
import { namespace } from './namespace.ts';
import { nodeClaim } from './node-claim.ts';
import { nodeClaimConditions } from './node-claim-conditions.ts';
import { nodeClass } from './node-class.ts';
import { nodeMonitor, nodeTaints } from './node-lifecycle.ts';
import { nodePool } from './node-pool.ts';
import { podEvents } from './pod-events.ts';
import { podGc } from './pod-gc.ts';
import { provisioner } from './provisioner.ts';
import { replicaSet } from './replica-set.ts';
import { scheduler } from './scheduler.ts';
import { taintEviction } from './taint-eviction.ts';
import { termination } from './termination.ts';

/** A controller, and the program whose process it is: without one it is part of the managed control plane or of a node. */
export interface Installed {
  readonly controller: Controller;
  readonly program?: Program['name'];
}

/** What the controllers touch besides the API. */
export interface Reality {
  readonly machines: Machines;
  readonly loadBalancers: LoadBalancers;
  readonly zone: Zone;
  readonly region: string;
  readonly setup: Setup;
}

/** Everything that acts in the embedded cluster by itself, in the order in which it starts. */
export function controllers({ machines, loadBalancers, zone, region, setup }: Reality): readonly Installed[] {
  const zones = ['a', 'b', 'c'].map((letter) => `${region}${letter}`);
  const habits = setup.autoscaler;
  const { ingressController, autoscaler: acting, loadBalancerDomain } = setup.surroundings;
  const autoscaler = [
    ...[nodeClass({ isReady: setup.nodeClassIsReady }), nodePool, provisioner(zones, habits)],
    ...[nodeClaim({ machines, zones, habits }), podEvents(), nodeClaimConditions(habits), expiration],
    ...[interruption(machines), disruption(zones, habits), termination(machines, habits), claimGc(machines)],
  ];
  return [
    ...[kubeletNode, kubeletLease, kubelet, cloudNode, cloudNodeLifecycle].map((make) => ({
      controller: make(machines),
    })),
    ...[nodeMonitor, nodeTaints, taintEviction(), podGc(), eventExpiry].map((controller) => ({ controller })),
    ...[
      deployment,
      replicaSet,
      daemonSet,
      scheduler({ packs: setup.schedulerPacks }),
      endpointSlice,
      disruptionBudget,
      garbageCollector,
      namespace,
    ].map((controller) => ({ controller })),
    ...setup.moreControllers(machines).map((controller) => ({ controller })),
    { controller: loadBalancer(loadBalancers, `${region}.${loadBalancerDomain}`) },
    {
      controller: ingressStatus(`${ingressController.namespace}/${ingressController.service}`),
      program: 'ingress-nginx',
    },
    { controller: leaderElection(machines, acting.namespace), program: 'karpenter' },
    ...autoscaler.map((controller) => ({ controller, program: 'karpenter' as const })),
    { controller: dnsAutomation(zone), program: 'external-dns' },
  ];
}
