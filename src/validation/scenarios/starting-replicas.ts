import type { HorizontalPodAutoscaler } from '../../cluster/resources.ts';
import { podsWanted } from '../../cluster/workload.ts';
import { guards, mustBeAvailable, ownerLimits } from '../observe/owner-limits.ts';
import type { Before } from '../observe/snapshot.ts';
import { hasReplicas, type Settings } from '../settings.ts';
import type { Scenario } from './scenario.ts';

/** 4.1 scales up from 2 to 5 replicas. */
const scaleUpFactor = 2.5;

/**
 * A scenario as it is made on an application of its owner (`manifests: none`), with the owner's numbers: where it wants
 * at least two replicas, with those that are there, be it one; where it sets replicas, with `forOwner`.
 */
export function withStartingReplicas(
  scenario: Scenario,
  { workload, budgets }: Pick<Before, 'workload' | 'budgets'>,
  autoscalers: readonly HorizontalPodAutoscaler[],
  settings: Settings,
): Scenario {
  if (settings.manifests !== 'none' || workload === undefined || !hasReplicas(settings)) return scenario;
  const wanted = podsWanted(workload) ?? 0;
  if (wanted < 1) return scenario;
  const { appReplicas, orMore } = scenario.baseline;
  if (orMore)
    return {
      ...scenario,
      baseline: { ...scenario.baseline, appReplicas: Math.min(appReplicas, wanted), asItIs: true },
    };
  const { least, most } = ownerLimits(workload, autoscalers, budgets);
  const scaled = Math.max(wanted + 1, Math.ceil(wanted * scaleUpFactor));
  // What a budget keeps of the declared replicas, also where it says how many may go.
  const kept = budgets.filter((one) => guards(one, workload)).map((one) => mustBeAvailable(one, wanted));
  const owner = { wanted, scaledUp: Math.min(scaled, most ?? scaled), scaledDown: Math.max(1, least, ...kept) };
  return scenario.forOwner?.(owner) ?? scenario;
}
