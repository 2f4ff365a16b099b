import type { HorizontalPodAutoscaler } from '../../cluster/resources.ts';
import { heldBy, type OwnerLimits, ownerLimits, scales } from '../observe/owner-limits.ts';
import type { Before } from '../observe/snapshot.ts';
import { hasReplicas, type Settings } from '../settings.ts';
import type { Scenario } from './scenario.ts';

/**
 * Why a scenario must not run on an application of its owner (`manifests: none`): it would be scaled below or above
 * what the owner allows, or a HorizontalPodAutoscaler would take its replicas back while they are measured
 * (docs/decisions/0034-beside-a-horizontal-autoscaler.md), unless the run pauses them. Undefined if it may run.
 */
export function scenarioGuard(
  scenario: Scenario,
  before: Before,
  autoscalers: readonly HorizontalPodAutoscaler[],
  settings: Settings,
  pausesAutoscalers = false,
): string | undefined {
  const { workload } = before;
  if (settings.manifests !== 'none' || workload === undefined || !hasReplicas(settings)) return undefined;
  const limits = ownerLimits(workload, autoscalers, before.budgets);
  const wanted = replicasOf(scenario, before, settings);
  const troubles = [
    ...wanted.map((replicas) => trouble(replicas, limits)),
    ...(pausesAutoscalers ? [] : autoscalers)
      .filter(({ spec }) => scales(spec.scaleTargetRef, workload))
      .flatMap((autoscaler) => wanted.map((replicas) => takenBack(replicas, autoscaler))),
  ];
  return troubles.find((because) => because !== undefined);
}

function takenBack(replicas: number, autoscaler: HorizontalPodAutoscaler): string | undefined {
  const { metadata, spec } = autoscaler;
  const held = heldBy(autoscaler);
  if (held === undefined || replicas === held) return undefined;
  const least = spec.minReplicas ?? 1;
  return `it needs ${replicas} replicas, and HorizontalPodAutoscaler ${metadata.name} wants ${held} now (${least} to ${spec.maxReplicas} by its metrics) and would put them back: take it away for the run, or leave it out of the manifests that are rehearsed`;
}

/** Every number of replicas that the scenario sets: of its baseline and of its plans. */
function replicasOf(scenario: Scenario, before: Before, settings: Settings): readonly number[] {
  const rounds = Array.from({ length: scenario.rounds ?? 1 }, (_, round) => scenario.plan(before, settings, round));
  const planned = rounds.flatMap((plan) => ('inconclusive' in plan ? [] : plan.actions));
  const scaled = planned.flatMap((one) => (one.action === 'scale' ? [one.target.replicas] : []));
  const { appReplicas, asItIs } = scenario.baseline;
  return asItIs ? scaled : [appReplicas, ...scaled];
}

function trouble(replicas: number, { least, most, because }: OwnerLimits): string | undefined {
  if (replicas < least)
    return `it needs ${replicas} replicas, and its owner wants at least ${least}: ${because.join(', ')}`;
  if (most !== undefined && replicas > most)
    return `it needs ${replicas} replicas, and a HorizontalPodAutoscaler allows ${most}`;
  return undefined;
}
