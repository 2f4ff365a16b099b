import type { HorizontalPodAutoscaler } from '../../cluster/resources.ts';
import { podsWanted } from '../../cluster/workload.ts';
import { heldBy, ownerLimits, scales } from '../observe/owner-limits.ts';
import type { Before } from '../observe/snapshot.ts';
import { hasReplicas, type Settings } from '../settings.ts';
import type { Scenario } from './scenario.ts';

/**
 * A scenario that wants at least two replicas, as it starts on an application of its owner (`manifests: none`): where an autoscaler sets their number, or a
 * budget keeps more than two, it leaves the replicas alone and is made with those that are there (docs/decisions/0034-beside-a-horizontal-autoscaler.md). Unchanged
 * where there are fewer than the owner wants: `scenarioGuard` says so then.
 */
export function withStartingReplicas(
  scenario: Scenario,
  { workload, budgets }: Pick<Before, 'workload' | 'budgets'>,
  autoscalers: readonly HorizontalPodAutoscaler[],
  settings: Settings,
): Scenario {
  const { appReplicas, orMore } = scenario.baseline;
  if (!orMore || settings.manifests !== 'none' || workload === undefined || !hasReplicas(settings)) return scenario;
  const scaling = autoscalers.filter(({ spec }) => scales(spec.scaleTargetRef, workload));
  const held = Math.max(0, ...scaling.map((one) => heldBy(one) ?? 0));
  const { least } = ownerLimits(workload, autoscalers, budgets);
  const isOwners = held >= appReplicas || least > appReplicas;
  if (!isOwners || (podsWanted(workload) ?? 0) < Math.max(appReplicas, least)) return scenario;
  return { ...scenario, baseline: { ...scenario.baseline, asItIs: true } };
}
