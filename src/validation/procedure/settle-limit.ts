import { podsWanted } from '../../cluster/workload.ts';
import type { Snapshot } from '../observe/snapshot.ts';
import type { Scenario } from '../scenarios/scenario.ts';

/** The limits of the scenarios are made for the specification's Deployment (2.3), whose grace period this is. */
const includedGraceSeconds = 40;

/** How long the cluster may take to come to rest: one pod after another may need its whole grace period to end. */
export function settleLimitSeconds(
  { settleWithinSeconds, baseline: { appReplicas, asItIs } }: Pick<Scenario, 'settleWithinSeconds' | 'baseline'>,
  { workload }: Pick<Snapshot, 'workload'>,
): number {
  const grace = workload?.spec.template.spec.terminationGracePeriodSeconds ?? 0;
  const replicas = asItIs ? Math.max(appReplicas, (workload && podsWanted(workload)) ?? 0) : appReplicas;
  return settleWithinSeconds + replicas * Math.max(0, grace - includedGraceSeconds);
}
