import type { NodePool } from '../kubernetes/autoscaler.ts';
import type { Requirement } from '../kubernetes/specs.ts';
import { allocatableOf, everyInstanceType, type InstanceType } from '../machines/instance-types.ts';
import { withDeprecated } from '../objects/deprecated-labels.ts';
import { type Amounts, amounts, fits } from '../objects/quantities.ts';
import { meetsAll } from '../scheduling/requirements.ts';
import type { AutoscalerBehaviour, CapacityType } from '../setup/setup.ts';
import { wellKnown } from './well-known.ts';

/** A node that could be launched: an instance type in a zone, on demand or on the spot market. */
export interface Offering {
  readonly type: InstanceType;
  readonly zone: string;
  readonly capacityType: CapacityType;
  /** Of its node; its NodeClaim has them without those under former names. */
  readonly labels: Readonly<Record<string, string>>;
  readonly claimLabels: Readonly<Record<string, string>>;
  readonly allocatable: Amounts;
}

/** The offerings that meet a pool's requirements, in the order in which they are tried. */
export function offeringsOf(
  pool: NodePool,
  zones: readonly string[],
  behaviour: AutoscalerBehaviour,
): readonly Offering[] {
  const known = offered.get(pool) ?? new Map<AutoscalerBehaviour, readonly Offering[]>();
  offered.set(pool, known);
  const offerings =
    known.get(behaviour) ?? offeringsFor(pool.spec.template.spec.requirements, zones, poolLabels(pool), behaviour);
  known.set(behaviour, offerings);
  return offerings;
}

/** A pool is asked for at every decision, and its object is another one after a change. */
const offered = new WeakMap<NodePool, Map<AutoscalerBehaviour, readonly Offering[]>>();

/**
 * The offerings that meet these requirements, those of the spot market before those on demand (karpenter.sh, NodePools,
 * `karpenter.sh/capacity-type`), each cheapest first; nodes would have these labels besides their own.
 */
export function offeringsFor(
  requirements: readonly Requirement[],
  zones: readonly string[],
  labels: Readonly<Record<string, string>>,
  { catalogue, capacityTypes, respectsRequirements }: AutoscalerBehaviour,
): readonly Offering[] {
  const effective = respectsRequirements ? requirements : requirements.filter(({ key }) => narrowedKeys.includes(key));
  const types = meeting(catalogue, effective);
  return capacityTypes
    .flatMap((capacityType) =>
      types.flatMap((type) => zones.map((zone) => offeringOf(type, { capacityType, zone }, labels))),
    )
    .filter((offering) => meetsAll(offering.labels, effective));
}

/** The types of EC2 that meet what these requirements ask of the machine; where and how it is bought is left out. */
export function typesMeeting(requirements: readonly Requirement[]): readonly InstanceType[] {
  return meeting(everyInstanceType(), requirements);
}

const ofMachines = /^(kubernetes\.io\/(arch|os)|node\.kubernetes\.io\/instance-type|karpenter\.k8s\.aws\/instance-.*)$/;

function meeting(types: readonly InstanceType[], requirements: readonly Requirement[]): readonly InstanceType[] {
  const asked = requirements.filter(({ key }) => ofMachines.test(key));
  return types.filter(({ labels }) => meetsAll(labels, asked));
}

/** The keys to which a claim narrows its pool's requirements. */
const narrowedKeys = ['node.kubernetes.io/instance-type', 'topology.kubernetes.io/zone'];

/** The labels of every node of the pool. */
export function poolLabels({ metadata, spec }: NodePool): Readonly<Record<string, string>> {
  return {
    ...spec.template.metadata?.labels,
    [wellKnown.nodePool]: metadata.name,
    [wellKnown.nodeClass]: spec.template.spec.nodeClassRef.name,
  };
}

export const cheapestThatFits = (offerings: readonly Offering[], wanted: Amounts): Offering | undefined =>
  offerings.find(({ allocatable }) => fits(wanted, allocatable));

function offeringOf(
  type: InstanceType,
  place: Pick<Offering, 'capacityType' | 'zone'>,
  labels: Readonly<Record<string, string>>,
): Offering {
  const { capacityType, zone } = place;
  const claimLabels = {
    ...labels,
    ...type.labels,
    'topology.kubernetes.io/zone': zone,
    'topology.kubernetes.io/region': zone.slice(0, -1),
    [wellKnown.capacityType]: capacityType,
  };
  return {
    type,
    ...place,
    labels: withDeprecated(claimLabels),
    claimLabels,
    allocatable: amounts(allocatableOf(type)),
  };
}
