import { ephemeralTaints } from '../autoscaler/cluster-state.ts';
import { offeringsFor } from '../autoscaler/offering.ts';
import { unregisteredTaint, wellKnown } from '../autoscaler/well-known.ts';
import type { NodeClaim } from '../kubernetes/autoscaler.ts';
import type { Node } from '../kubernetes/resources.ts';
import { allocatableOf, capacityOf } from '../machines/instance-types.ts';
import { providerIdOf } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import type { Cache } from '../objects/cache.ts';
import { conditionOf, isTrue, type Stated, withConditions } from '../objects/conditions.ts';
import { ownedBy } from '../objects/owners.ts';
import { instantOf } from '../objects/timestamps.ts';
import { recordEvent } from '../reconciling/events.ts';
import { reconciler } from '../reconciling/reconciler.ts';
import { withoutTaint } from '../scheduling/taints.ts';
import type { AutoscalerBehaviour } from '../setup/setup.ts';
import type { Controller, Site } from '../setup/site.ts';
import { removeStartupTaints } from './startup-taints.ts';

/** NodeClaim → instance → Node: Launched, Registered, Initialized (pkg/controllers/nodeclaim/lifecycle). */
export function nodeClaim({ machines, zones, behaviour }: Launching): Controller {
  /** When CreateFleet returns for each claim, by uid, epoch milliseconds. */
  const launchedAt = new Map<string, number>();
  return reconciler({
    name: 'node-claim',
    watches: {
      NodeClaim: (claim) => [claim.metadata.name],
      Node: (node, cache) => claimsWithProvider(node.spec?.providerID, cache),
    },
    reaction: 'autoscalerReaction',
    reconcile: async (site, name) => {
      const claim = site.cache.get('NodeClaim', name);
      if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return undefined;
      if (!isTrue(claim, 'Launched'))
        return askForInstance(site, claim, launchedAt, () => launch(site, claim, { machines, zones, behaviour }));
      launchedAt.delete(claim.metadata.uid ?? '');
      const node = [...site.cache.list('Node')].find(({ spec }) => spec?.providerID === claim.status?.providerID);
      return node === undefined ? deleteUnregistered(site, claim) : join(site, claim, node);
    },
  });
}

function claimsWithProvider(providerId: string | undefined, cache: Cache): readonly string[] {
  const claims = [...cache.list('NodeClaim')].filter(
    ({ status }) => status?.providerID !== undefined && status.providerID === providerId,
  );
  return claims.map(({ metadata }) => metadata.name);
}

/** How long a claim waits for its Node to register (nodeclaim/lifecycle/liveness.go). */
const registrationTimeoutSeconds = 15 * 60;

/** Deletes a claim whose Node has not registered in time, and reports it on the pool. */
async function deleteUnregistered(site: Site, claim: NodeClaim): Promise<number | undefined> {
  const launchedAt = instantOf(conditionOf(claim, 'Launched')?.lastTransitionTime ?? '');
  const leftSeconds = (launchedAt - site.now()) / 1000 + registrationTimeoutSeconds;
  if (isTrue(claim, 'Registered')) return undefined;
  if (leftSeconds > 0) return leftSeconds;
  await setRegistrationHealth(site, claim, {
    status: 'False',
    reason: 'RegistrationFailed',
    message: 'Failed to register node',
  });
  const { name, uid = '' } = claim.metadata;
  await site.cluster.delete('NodeClaim', { name }, { uid });
  return undefined;
}

async function join(site: Site, claim: NodeClaim, node: Node): Promise<number | undefined> {
  if (!isTrue(claim, 'Registered')) return register(site, claim, node);
  return isTrue(claim, 'Initialized') ? checkConsistency(site, claim) : initialize(site, claim, node);
}

/** A claim is scanned every 10 minutes, and the scan at its launch finds no Node yet (nodeclaim/consistency). */
const consistencyScanSeconds = 10 * 60;

async function checkConsistency(site: Site, claim: NodeClaim): Promise<number | undefined> {
  if (isTrue(claim, 'ConsistentStateFound')) return undefined;
  const launchedAt = instantOf(conditionOf(claim, 'Launched')?.lastTransitionTime ?? '');
  const leftSeconds = (launchedAt - site.now()) / 1000 + consistencyScanSeconds;
  if (leftSeconds > 0) return leftSeconds;
  await patchStatus(site, claim, [{ type: 'ConsistentStateFound', status: 'True', reason: 'ConsistentStateFound' }]);
  return undefined;
}

async function askForInstance(
  site: Site,
  claim: NodeClaim,
  launchedAt: Map<string, number>,
  launch: () => Promise<undefined>,
): Promise<number | undefined> {
  const { uid = '' } = claim.metadata;
  const at = launchedAt.get(uid) ?? site.now() + 1000 * site.delay('instanceLaunch');
  launchedAt.set(uid, at);
  if (conditionOf(claim, 'Launched') === undefined) await initializeConditions(site, claim);
  return site.now() < at ? (at - site.now()) / 1000 : launch();
}

interface Launching {
  readonly machines: Pick<Machines, 'launch'>;
  readonly zones: readonly string[];
  readonly behaviour: AutoscalerBehaviour;
}

async function initializeConditions(site: Site, claim: NodeClaim): Promise<void> {
  const unknown = dependents.map(
    (type) =>
      ({
        type,
        status: 'Unknown',
        reason: 'AwaitingReconciliation',
        message: 'object is awaiting reconciliation',
      }) as const,
  );
  await patchStatus(site, claim, unknown);
}

/** The cheapest offering that meets the claim's requirements (CreateFleet with the strategy lowest-price). */
async function launch(site: Site, claim: NodeClaim, { machines, zones, behaviour }: Launching): Promise<undefined> {
  const offering = offeringsFor(claim.spec.requirements, zones, claim.metadata.labels ?? {}, behaviour)[0];
  if (offering === undefined) return deleteWithoutCapacity(site, claim);
  const instance = machines.launch({
    type: offering.type.name,
    zone: offering.zone,
    capacityType: offering.capacityType,
    labels: {},
    taints: [unregisteredTaint, ...(claim.spec.taints ?? []), ...(claim.spec.startupTaints ?? [])],
    tags: {
      [wellKnown.nodePool]: claim.metadata.labels?.[wellKnown.nodePool] ?? '',
      [wellKnown.nodeClaim]: claim.metadata.name,
    },
  });
  const more = {
    providerID: providerIdOf(instance),
    imageID: 'ami-0c1b2a3d4e5f60718',
    capacity: capacityOf(offering.type),
    allocatable: allocatableOf(offering.type),
  };
  await site.cluster.patch('NodeClaim', claim.metadata, {
    type: 'merge',
    value: { metadata: { labels: offering.claimLabels } },
  });
  await patchStatus(
    site,
    claim,
    [
      { type: 'Launched', status: 'True', reason: 'Launched' },
      { type: 'Registered', status: 'Unknown', reason: 'NodeNotFound', message: 'Node not registered with cluster' },
    ],
    more,
  );
  return undefined;
}

/** A claim without capacity in EC2 is deleted at once; the next batch plans again (nodeclaim/lifecycle/launch.go). */
async function deleteWithoutCapacity(site: Site, claim: NodeClaim): Promise<undefined> {
  const { name, uid = '' } = claim.metadata;
  const message = `NodeClaim ${name} event: creating instance, insufficient capacity, with fleet error(s)`;
  await recordEvent(site, claim, 'Warning', 'InsufficientCapacityError', message);
  await site.cluster.delete('NodeClaim', { name }, { uid });
  return undefined;
}

/** Copies the claim's labels and annotations to the Node, and removes its registration taint (registration.go). */
async function register(site: Site, claim: NodeClaim, node: Node): Promise<undefined> {
  const { name } = node.metadata;
  const value = {
    metadata: {
      labels: { ...claim.metadata.labels, [wellKnown.registered]: 'true' },
      annotations: claim.metadata.annotations ?? {},
      finalizers: [wellKnown.finalizer],
      ownerReferences: [ownedBy(claim)],
    },
    spec: { taints: withoutTaint(node.spec?.taints ?? [], unregisteredTaint.key) },
  };
  await site.cluster.patch('Node', { name }, { type: 'merge', value });
  const registered = { type: 'Registered', status: 'True', reason: 'Registered' } as const;
  const waiting = {
    type: 'Initialized',
    status: 'Unknown',
    reason: 'NodeNotReady',
    message: 'Node status is NotReady',
  } as const;
  await patchStatus(site, claim, [registered, waiting], { nodeName: name });
  await setRegistrationHealth(site, claim, { status: 'True', reason: 'NodeRegistrationHealthy' });
  return undefined;
}

/** When the Node is Ready and has neither ephemeral nor startup taints (initialization.go). */
async function initialize(site: Site, claim: NodeClaim, node: Node): Promise<number | undefined> {
  const startup = (claim.spec.startupTaints ?? []).map(({ key }) => key);
  const isTainted = (node.spec?.taints ?? []).some(({ key }) => ephemeralTaints.includes(key) || startup.includes(key));
  if (!isTrue(node, 'Ready') || node.status?.allocatable === undefined) return undefined;
  if (isTainted) return removeStartupTaints(site, startup, node);
  const value = { metadata: { labels: { [wellKnown.initialized]: 'true' } } };
  await site.cluster.patch('Node', { name: node.metadata.name }, { type: 'merge', value });
  await patchStatus(site, claim, [{ type: 'Initialized', status: 'True', reason: 'Initialized' }]);
  return undefined;
}

/** The conditions that a claim's Ready sums up, in the order in which a claim gets them. */
const dependents = ['Launched', 'Registered', 'Initialized'];

/** Names the missing ones (operatorpkg, status/condition_set.go); the last first after the launch, as measured. */
function readiness(claim: NodeClaim): Stated {
  const missing = dependents.filter((type) => !isTrue(claim, type));
  if (missing.length === 0) return { type: 'Ready', status: 'True', reason: 'Ready' };
  const named = missing.includes('Launched') ? missing : missing.toReversed();
  const message = named.map((type) => `${type}=${conditionOf(claim, type)?.status}`).join(', ');
  return { type: 'Ready', status: 'Unknown', reason: 'ReconcilingDependents', message };
}

async function patchStatus(
  site: Site,
  claim: NodeClaim,
  stated: readonly Stated[],
  more: NodeClaim['status'] = {},
): Promise<void> {
  const { name } = claim.metadata;
  const observedGeneration = claim.metadata.generation ?? 1;
  const all = withConditions(
    claim.status?.conditions,
    stated.map((one) => ({ ...one, observedGeneration })),
    site.now(),
  );
  const conditions = withConditions(
    all,
    [{ ...readiness({ ...claim, status: { conditions: all } }), observedGeneration }],
    site.now(),
  );
  const value = { status: { ...more, conditions } };
  await site.cluster.patch('NodeClaim', { name }, { type: 'merge', value }, { subresource: 'status' });
}

/** The pool's condition NodeRegistrationHealthy: False after a timeout (nodepool/registrationhealth). */
async function setRegistrationHealth(site: Site, claim: NodeClaim, stated: Omit<Stated, 'type'>): Promise<void> {
  const pool = site.cache.get('NodePool', claim.metadata.labels?.[wellKnown.nodePool] ?? '');
  if (pool === undefined || conditionOf(pool, 'NodeRegistrationHealthy')?.status === stated.status) return;
  const observedGeneration = pool.metadata.generation ?? 1;
  const condition = { type: 'NodeRegistrationHealthy', ...stated, observedGeneration };
  const value = { status: { conditions: withConditions(pool.status?.conditions, [condition], site.now()) } };
  await site.cluster.patch(
    'NodePool',
    { name: pool.metadata.name },
    { type: 'merge', value },
    { subresource: 'status' },
  );
}
