import type { Zone } from '../dns/zone.ts';
import { frontDoors } from '../front-doors/index.ts';
import { horizontalPodAutoscaler } from '../horizontal-autoscaler/horizontal-pod-autoscaler.ts';
import { cronJob } from '../jobs/cron-job.ts';
import { job } from '../jobs/job.ts';
import { ttlAfterFinished } from '../jobs/ttl-after-finished.ts';
import type { CpuMeter } from '../machines/cpu-meter.ts';
import type { LoadBalancers } from '../machines/load-balancers.ts';
import type { Machines } from '../machines/machines.ts';
import type { Setup } from '../setup/setup.ts';
import type { Controller, Installed } from '../setup/site.ts';
import { attachDetach } from '../storage/attach-detach.ts';
import { claimProtection, volumeProtection } from '../storage/protection.ts';
import { volumeAttacher, volumeDetacher } from '../storage/volume-attacher.ts';
import { volumeBinder } from '../storage/volume-binder.ts';
import { volumeProvisioner } from '../storage/volume-provisioner.ts';
import { daemonSet } from '../workloads/daemon-set.ts';
import { deployment } from '../workloads/deployment.ts';
import { replicaSet } from '../workloads/replica-set.ts';
import { statefulSet } from '../workloads/stateful-set.ts';
import { claimGc } from './claim-gc.ts';
import { cloudNode, cloudNodeLifecycle } from './cloud-node.ts';
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
import type { RunsProgram } from './kubelet-containers.ts';
import { kubeletLease } from './kubelet-lease.ts';
import { kubeletNode } from './kubelet-node.ts';
import { kubeletVolumes } from './kubelet-volumes.ts';
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
import { scheduler } from './scheduler.ts';
import { statusEvents } from './status-events.ts';
import { taintEviction } from './taint-eviction.ts';
import { termination } from './termination.ts';

/** What the controllers touch besides the API. */
export interface Reality {
  readonly machines: Machines;
  readonly meter: CpuMeter;
  readonly loadBalancers: LoadBalancers;
  readonly zone: Zone;
  readonly region: string;
  readonly setup: Setup;
  /** Runs the real programs of containers, and says which containers have one. */
  readonly programs: { readonly controller: Controller; readonly runs: RunsProgram };
}

/** Every controller of the embedded cluster, in the order in which they start. */
export function controllers(reality: Reality): readonly Installed[] {
  const { machines, setup, programs } = reality;
  const healthy = [
    ...nodeControllers(reality).map((controller) => ({ controller })),
    ...workloadControllers(reality).map((controller) => ({ controller })),
    { controller: programs.controller },
    ...storageControllers(machines).map((controller) => ({ controller })),
    ...edgeControllers(reality),
    ...(setup.surroundings.nodeGroup === undefined ? autoscalerControllers(reality) : []).map((controller) => ({
      controller,
      program: 'karpenter' as const,
    })),
    { controller: dnsAutomation(reality.zone), program: 'external-dns' as const },
  ];
  return setup.controllers(healthy, machines);
}

/** The kubelets, and what the control plane and the cloud do for Nodes. */
const nodeControllers = ({ machines, setup, programs }: Reality): readonly Controller[] => [
  kubeletNode(machines),
  kubeletLease(machines),
  kubelet(machines, { ...setup.application, ...setup.surroundings }, programs.runs),
  cloudNode(machines),
  cloudNodeLifecycle(machines),
  nodeMonitor,
  nodeTaints,
  taintEviction(),
  podGc(),
  eventExpiry,
];

const workloadControllers = ({ machines, meter, setup }: Reality): readonly Controller[] => [
  deployment,
  replicaSet,
  daemonSet,
  statefulSet,
  cronJob,
  job(),
  ttlAfterFinished,
  horizontalPodAutoscaler({ machines, meter, scrapeSeconds: setup.delays.metricsScrape.seconds[0] }),
  scheduler({ packs: false }),
  endpointSlice,
  disruptionBudget,
  garbageCollector,
  namespace,
];

/** What kube-controller-manager, the kubelets and the CSI driver with its sidecars do for volumes. */
const storageControllers = (machines: Machines): readonly Controller[] => [
  volumeBinder(),
  claimProtection,
  volumeProtection,
  volumeProvisioner,
  attachDetach(),
  volumeAttacher,
  volumeDetacher,
  kubeletVolumes(machines),
];

function edgeControllers({ loadBalancers, region, setup }: Reality): readonly Installed[] {
  const { ingressController, loadBalancerDomain, frontDoor } = setup.surroundings;
  return [
    { controller: loadBalancer(loadBalancers, `${region}.${loadBalancerDomain}`) },
    {
      controller: ingressStatus(`${ingressController.namespace}/${ingressController.service}`),
      program: frontDoors[frontDoor].controlPlane,
    },
  ];
}

/** Karpenter, with the controllers of its AWS provider. */
function autoscalerControllers({ machines, setup }: Reality): readonly Controller[] {
  const { zones } = setup.surroundings;
  const behaviour = setup.autoscaler;
  return [
    leaderElection(machines, setup.surroundings.autoscaler.namespace),
    nodeClass({ isReady: true }),
    nodePool,
    provisioner(zones, behaviour),
    nodeClaim({ machines, zones, behaviour }),
    podEvents(),
    nodeClaimConditions(behaviour),
    expiration(),
    interruption(machines),
    disruption(zones, behaviour),
    termination(machines, behaviour),
    claimGc(machines),
    statusEvents,
  ];
}
