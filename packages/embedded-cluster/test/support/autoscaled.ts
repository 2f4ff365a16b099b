import { claimGc } from '../../src/controllers/claim-gc.ts';
import { cloudNode } from '../../src/controllers/cloud-node.ts';
import { disruption } from '../../src/controllers/disruption.ts';
import { disruptionBudget } from '../../src/controllers/disruption-budget.ts';
import { expiration } from '../../src/controllers/expiration.ts';
import { kubelet } from '../../src/controllers/kubelet.ts';
import { kubeletLease } from '../../src/controllers/kubelet-lease.ts';
import { kubeletNode } from '../../src/controllers/kubelet-node.ts';
import { nodeClaim } from '../../src/controllers/node-claim.ts';
import { nodeClaimConditions } from '../../src/controllers/node-claim-conditions.ts';
import { nodeClass } from '../../src/controllers/node-class.ts';
import { nodeTaints } from '../../src/controllers/node-lifecycle.ts';
import { nodePool } from '../../src/controllers/node-pool.ts';
import { podEvents } from '../../src/controllers/pod-events.ts';
import { provisioner } from '../../src/controllers/provisioner.ts';
import { scheduler } from '../../src/controllers/scheduler.ts';
import { termination } from '../../src/controllers/termination.ts';
import type { NodeClaim } from '../../src/kubernetes/autoscaler.ts';
import type { Resource } from '../../src/kubernetes/kinds.ts';
import type { Condition } from '../../src/kubernetes/metadata.ts';
import type { Machines } from '../../src/machines/machines.ts';
import { healthy } from '../../src/setup/setup.ts';
import { deployment } from '../../src/workloads/deployment.ts';
import { replicaSet } from '../../src/workloads/replica-set.ts';
import * as objects from './objects.ts';
import { onStage, type Stage } from './stage.ts';

const behaviour = healthy.autoscaler;
const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
export const theNodeClass = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
} as const;
/** The controllers of Karpenter and those that it needs: workloads, scheduler, kubelets, cloud node controller. */
export const everything = (machines: Machines) => [
  deployment,
  replicaSet,
  scheduler({ packs: false }),
  kubelet(machines),
  kubeletNode(machines),
  kubeletLease(machines),
  cloudNode(machines),
  nodeTaints,
  disruptionBudget,
  nodeClass({ isReady: true }),
  nodePool,
  provisioner(zones, behaviour),
  podEvents(),
  nodeClaim({ machines, zones, behaviour }),
  nodeClaimConditions(behaviour),
  expiration(),
  disruption(zones, behaviour),
  termination(machines, behaviour),
  claimGc(machines),
];
export const before = [theNodeClass, objects.nodePool];

export const pool = ({ cluster }: Stage) => cluster.get('NodePool', { name: 'general-purpose-arm' });
export const claims = ({ cluster }: Stage) => cluster.list('NodeClaim');
export const condition = (object: { status?: { conditions?: readonly Condition[] } } | undefined, type: string) =>
  object?.status?.conditions?.find((one) => one.type === type);
export const readyPods = async ({ cluster }: Stage) =>
  (await cluster.list('Pod', { labelSelector: 'app=nginx-test' })).filter(
    (pod) => condition(pod, 'Ready')?.status === 'True',
  );
export const patchPool = ({ cluster }: Stage, value: object) =>
  cluster.patch('NodePool', { name: 'general-purpose-arm' }, { type: 'merge', value });

/** Plays on a stage where the replicas of the application are ready on nodes of the pool. */
export async function withApplication(
  replicas: number,
  play: (stage: Stage) => Promise<void>,
  ownPool = objects.nodePool,
  more: readonly Resource[] = [],
): Promise<void> {
  const there = [theNodeClass, ownPool, objects.deployment(replicas, objects.hardenedPod), ...more];
  await onStage(everything, there, async (stage) => {
    await stage.until(async () => (await readyPods(stage)).length === replicas);
    await play(stage);
  });
}

/** Makes the claim drift: its hash annotation no longer equals the pool’s (nodeclaim/disruption/drift.go). */
export const mark = (stage: Stage, { metadata }: NodeClaim) =>
  stage.cluster.patch(
    'NodeClaim',
    { name: metadata.name },
    { type: 'merge', value: { metadata: { annotations: { 'karpenter.sh/nodepool-hash': 'marked' } } } },
  );

/** The Events about the object of that name, as `reason: message`. */
export const eventsAbout = async ({ cluster }: Stage, name: string) =>
  (await cluster.list('Event'))
    .filter(({ involvedObject }) => involvedObject.name === name)
    .map(({ reason, message }) => `${reason}: ${message}`);
