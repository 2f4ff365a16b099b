import type { NodePool } from '../../cluster/autoscaler.ts';
import type { Requirement } from '../../cluster/specs.ts';
import { allocatableOf, type InstanceType } from '../machines/instance-types.ts';
import { type Amounts, amounts, fits } from '../objects/quantities.ts';
import { meetsAll } from '../scheduling/requirements.ts';
import type { AutoscalerHabits } from '../setup/setup.ts';
import { words } from './words.ts';

/** A node that could be bought: a type in a zone, on demand. */
export interface Offering {
  readonly type: InstanceType;
  readonly zone: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly allocatable: Amounts;
}

/** What meets a pool's requirements, cheapest first. */
export function offeringsOf(pool: NodePool, zones: readonly string[], habits: AutoscalerHabits): readonly Offering[] {
  return offeringsFor(pool.spec.template.spec.requirements, zones, poolLabels(pool), habits);
}

export function offeringsFor(
  requirements: readonly Requirement[],
  zones: readonly string[],
  labels: Readonly<Record<string, string>>,
  { catalogue, heedsRequirements }: AutoscalerHabits,
): readonly Offering[] {
  const heeded = heedsRequirements ? requirements : requirements.filter(({ key }) => chosenKeys.includes(key));
  return catalogue
    .flatMap((type) => zones.map((zone) => offeringOf(type, zone, labels)))
    .filter((offering) => meetsAll(offering.labels, heeded));
}

/** What a claim narrows its pool's requirements to. */
const chosenKeys = ['node.kubernetes.io/instance-type', 'topology.kubernetes.io/zone'];

/** What every node of the pool is labelled with. */
export function poolLabels({ metadata, spec }: NodePool): Readonly<Record<string, string>> {
  return {
    ...spec.template.metadata?.labels,
    [words.nodePool]: metadata.name,
    [words.nodeClass]: spec.template.spec.nodeClassRef.name,
  };
}

export const cheapestThatHolds = (offerings: readonly Offering[], wanted: Amounts): Offering | undefined =>
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
      [words.capacityType]: 'on-demand',
      [words.category]: type.category,
      [words.generation]: String(type.generation),
      [words.family]: family,
      [words.size]: size,
      [words.cpu]: String(type.vcpus),
    },
    allocatable: amounts(allocatableOf(type)),
  };
}
