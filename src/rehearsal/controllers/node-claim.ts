import type { NodeClaim } from '../../cluster/autoscaler.ts';
import type { Node } from '../../cluster/resources.ts';
import { offeringsFor } from '../autoscaler/offering.ts';
import { unregisteredTaint, words } from '../autoscaler/words.ts';
import { allocatableOf, capacityOf } from '../machines/instance-types.ts';
import { providerIdOf } from '../machines/instances.ts';
import type { Machines } from '../machines/machines.ts';
import type { Cache } from '../objects/cache.ts';
import { conditionOf, isTrue, type Stated, withConditions } from '../objects/conditions.ts';
import { ownedBy } from '../objects/owners.ts';
import { instantOf } from '../objects/timestamps.ts';
import { notReadyTaint, uninitializedTaint, unreachableTaint, withoutTaint } from '../scheduling/taints.ts';
import type { AutoscalerHabits } from '../setup/setup.ts';
import type { Controller, Site } from '../setup/site.ts';
import { reconciler } from './reconciler.ts';

/** NodeClaim → instance → Node: Launched, Registered, Initialized (pkg/controllers/nodeclaim/lifecycle). */
export function nodeClaim({ machines, zones, habits }: Buying): Controller {
  /** When the cloud will have answered the launch of each claim, by uid. */
  const answers = new Map<string, number>();
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
        return askForInstance(site, claim, answers, () => launch(site, claim, { machines, zones, habits }));
      answers.delete(claim.metadata.uid ?? '');
      const node = [...site.cache.list('Node')].find(({ spec }) => spec?.providerID === claim.status?.providerID);
      return node === undefined ? giveUpLate(site, claim) : join(site, claim, node);
    },
  });
}

function claimsWithProvider(providerId: string | undefined, cache: Cache): readonly string[] {
  const claims = [...cache.list('NodeClaim')].filter(
    ({ status }) => status?.providerID !== undefined && status.providerID === providerId,
  );
  return claims.map(({ metadata }) => metadata.name);
}

/** A claim whose node does not come is deleted, and its pool called unhealthy (nodeclaim/lifecycle/liveness.go). */
const registrationSeconds = 15 * 60;

async function giveUpLate(site: Site, claim: NodeClaim): Promise<number | undefined> {
  const launchedAt = instantOf(conditionOf(claim, 'Launched')?.lastTransitionTime ?? '');
  const leftSeconds = (launchedAt - site.now()) / 1000 + registrationSeconds;
  if (isTrue(claim, 'Registered')) return undefined;
  if (leftSeconds > 0) return leftSeconds;
  await callRegistration(site, claim, {
    status: 'False',
    reason: 'RegistrationFailed',
    message: 'Failed to register node',
  });
  const { name, uid = '' } = claim.metadata;
  await site.cluster.delete('NodeClaim', { name }, { uid });
  return undefined;
}

async function join(site: Site, claim: NodeClaim, node: Node): Promise<undefined> {
  if (!isTrue(claim, 'Registered')) return register(site, claim, node);
  return isTrue(claim, 'Initialized') ? undefined : initialize(site, claim, node);
}

async function askForInstance(
  site: Site,
  claim: NodeClaim,
  answers: Map<string, number>,
  launched: () => Promise<undefined>,
): Promise<number | undefined> {
  const { uid = '' } = claim.metadata;
  const answeredAt = answers.get(uid) ?? site.now() + 1000 * site.delay('instanceLaunch');
  answers.set(uid, answeredAt);
  if (conditionOf(claim, 'Launched') === undefined) await begin(site, claim);
  return site.now() < answeredAt ? (answeredAt - site.now()) / 1000 : launched();
}

interface Buying {
  readonly machines: Pick<Machines, 'launch'>;
  readonly zones: readonly string[];
  readonly habits: AutoscalerHabits;
}

async function begin(site: Site, claim: NodeClaim): Promise<void> {
  const unknown = ['Launched', 'Registered', 'Initialized', 'Ready'].map(
    (type) =>
      ({
        type,
        status: 'Unknown',
        reason: 'AwaitingReconciliation',
        message: 'object is awaiting reconciliation',
      }) as const,
  );
  await state(site, claim, unknown);
}

/** The cheapest offering that meets the claim's requirements (CreateFleet with the strategy lowest-price). */
async function launch(site: Site, claim: NodeClaim, { machines, zones, habits }: Buying): Promise<undefined> {
  const offering = offeringsFor(claim.spec.requirements, zones, claim.metadata.labels ?? {}, habits)[0];
  if (offering === undefined) {
    await state(site, claim, [{ type: 'Launched', status: 'Unknown', reason: 'InsufficientCapacityError' }]);
    return undefined;
  }
  const instance = machines.launch({
    type: offering.type.name,
    zone: offering.zone,
    capacityType: 'on-demand',
    labels: {},
    taints: [unregisteredTaint, ...(claim.spec.taints ?? []), ...(claim.spec.startupTaints ?? [])],
    tags: {
      [words.nodePool]: claim.metadata.labels?.[words.nodePool] ?? '',
      'karpenter.sh/nodeclaim': claim.metadata.name,
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
    value: { metadata: { labels: offering.labels } },
  });
  await state(
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

/** The Node gets what the claim says, and loses the taint that kept every pod off it. */
async function register(site: Site, claim: NodeClaim, node: Node): Promise<undefined> {
  const { name } = node.metadata;
  const value = {
    metadata: {
      labels: { ...claim.metadata.labels, [words.registered]: 'true' },
      annotations: claim.metadata.annotations ?? {},
      finalizers: [words.finalizer],
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
  await state(site, claim, [registered, waiting], { nodeName: name });
  await callRegistration(site, claim, { status: 'True', reason: 'NodeRegistrationHealthy' });
  return undefined;
}

const ephemeral = [notReadyTaint, unreachableTaint, uninitializedTaint, unregisteredTaint.key];

async function initialize(site: Site, claim: NodeClaim, node: Node): Promise<undefined> {
  const startup = (claim.spec.startupTaints ?? []).map(({ key }) => key);
  const inTheWay = (node.spec?.taints ?? []).some(({ key }) => ephemeral.includes(key) || startup.includes(key));
  if (inTheWay || !isTrue(node, 'Ready') || node.status?.allocatable === undefined) return undefined;
  const value = { metadata: { labels: { [words.initialized]: 'true' } } };
  await site.cluster.patch('Node', { name: node.metadata.name }, { type: 'merge', value });
  await state(site, claim, [
    { type: 'Initialized', status: 'True', reason: 'Initialized' },
    { type: 'Ready', status: 'True', reason: 'Ready' },
    { type: 'ConsistentStateFound', status: 'True', reason: 'ConsistentStateFound' },
  ]);
  return undefined;
}

async function state(
  site: Site,
  claim: NodeClaim,
  stated: readonly Stated[],
  more: NodeClaim['status'] = {},
): Promise<void> {
  const { name } = claim.metadata;
  const observedGeneration = claim.metadata.generation ?? 1;
  const conditions = withConditions(
    claim.status?.conditions,
    stated.map((one) => ({ ...one, observedGeneration })),
    site.now(),
  );
  const value = { status: { ...more, conditions } };
  await site.cluster.patch('NodeClaim', { name }, { type: 'merge', value }, { subresource: 'status' });
}

/** A registration proves that the pool's nodes can join, and one that never came that they cannot (registrationhealth). */
async function callRegistration(site: Site, claim: NodeClaim, said: Omit<Stated, 'type'>): Promise<void> {
  const pool = site.cache.get('NodePool', claim.metadata.labels?.[words.nodePool] ?? '');
  if (pool === undefined || conditionOf(pool, 'NodeRegistrationHealthy')?.status === said.status) return;
  const observedGeneration = pool.metadata.generation ?? 1;
  const stated = { type: 'NodeRegistrationHealthy', ...said, observedGeneration };
  const value = { status: { conditions: withConditions(pool.status?.conditions, [stated], site.now()) } };
  await site.cluster.patch(
    'NodePool',
    { name: pool.metadata.name },
    { type: 'merge', value },
    { subresource: 'status' },
  );
}
