import type { NodePool } from '../../cluster/autoscaler.ts';
import type { Requirement } from '../../cluster/specs.ts';
import { allocatableOf, type InstanceType } from '../machines/instance-types.ts';
import { type Amounts, amounts, fits } from '../objects/quantities.ts';
import { meetsAll } from '../scheduling/requirements.ts';
import type { AutoscalerBehaviour } from '../setup/setup.ts';
import { wellKnown } from './well-known.ts';

/** A node that could be launched: an instance type in a zone, on demand. */
export interface Offering {
  readonly type: InstanceType;
  readonly zone: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly allocatable: Amounts;
}

/** The offerings that meet a pool's requirements, cheapest first. */
export function offeringsOf(
  pool: NodePool,
  zones: readonly string[],
  behaviour: AutoscalerBehaviour,
): readonly Offering[] {
  return offeringsFor(pool.spec.template.spec.requirements, zones, poolLabels(pool), behaviour);
}

/** The offerings that meet these requirements, cheapest first; nodes would have these labels besides their own. */
export function offeringsFor(
  requirements: readonly Requirement[],
  zones: readonly string[],
  labels: Readonly<Record<string, string>>,
  { catalogue, respectsRequirements }: AutoscalerBehaviour,
): readonly Offering[] {
  const effective = respectsRequirements ? requirements : requirements.filter(({ key }) => narrowedKeys.includes(key));
  return catalogue
    .flatMap((type) => zones.map((zone) => offeringOf(type, zone, labels)))
    .filter((offering) => meetsAll(offering.labels, effective));
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

function offeringOf(type: InstanceType, zone: string, labels: Readonly<Record<string, string>>): Offering {
  const [family = '', size = ''] = type.name.split('.');
  return {
    type,
    zone,
    labels: {
      ...labels,
      'kubernetes.io/arch': type.architecture,
      'kubernetes.io/os': 'linux',
      'node.kubernetes.io/instance-type': type.name,
      'topology.kubernetes.io/zone': zone,
      [wellKnown.capacityType]: 'on-demand',
      [wellKnown.category]: type.category,
      [wellKnown.generation]: String(type.generation),
      [wellKnown.family]: family,
      [wellKnown.size]: size,
      [wellKnown.cpu]: String(type.vcpus),
    },
    allocatable: amounts(allocatableOf(type)),
  };
}
