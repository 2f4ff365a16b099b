import { consolidation } from './consolidation.ts';
import { disruptionBudget } from './disruption-budget.ts';
import { dnsFailure } from './dns-failure.ts';
import { ingressControllerFailure } from './ingress-controller-failure.ts';
import { instanceKill } from './instance-kill.ts';
import { load } from './load.ts';
import { nodeDrain } from './node-drain.ts';
import { rollout } from './rollout.ts';
import { scaleDown } from './scale-down.ts';
import { scaleUp } from './scale-up.ts';
import type { Scenario } from './scenario.ts';
import { singleReplica } from './single-replica.ts';
import { zoneFailure } from './zone-failure.ts';

/** The rows of table 4.1, in its order: a whole run has these. */
export const scenarios: readonly Scenario[] = [
  scaleUp,
  scaleDown,
  singleReplica,
  nodeDrain,
  instanceKill,
  disruptionBudget,
  consolidation,
  load,
  ingressControllerFailure,
  dnsFailure,
];

/** They run where they are named; some of them also in every whole run of an application of its owner. */
export const furtherScenarios: readonly Scenario[] = [rollout, zoneFailure];

export const allScenarios: readonly Scenario[] = [...scenarios, ...furtherScenarios];

export const scenarioNamed = (name: string): Scenario | undefined => allScenarios.find((one) => one.name === name);
