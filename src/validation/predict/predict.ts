import { type Prediction, type Range, range, sum } from '../record/prediction.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { Settings } from '../settings.ts';
import { dnsFailure, ingressControllerFailure, load } from './around.ts';
import type { Circumstances } from './circumstances.ts';
import { consolidation } from './consolidation.ts';
import { disruptionBudget } from './disruption-budget.ts';
import { instanceKill } from './instance-kill.ts';
import { nodeDrain } from './node-drain.ts';
import { scaleDown, scaleUp } from './scaling.ts';
import { singleReplica } from './single-replica.ts';
import { usual } from './typical-durations.ts';

type Predict = (now: Circumstances, settings: Settings) => Prediction;

const predictions: Readonly<Record<string, Predict>> = {
  'scale-up': scaleUp,
  'scale-down': scaleDown,
  'single-replica': singleReplica,
  'node-drain': nodeDrain,
  'instance-kill': instanceKill,
  'disruption-budget': disruptionBudget,
  consolidation,
  load,
  'ingress-controller-failure': ingressControllerFailure,
  'dns-failure': dnsFailure,
};

/** What is predicted: a scenario's name, and how often it is made in its window. */
export type Predictable = Pick<Scenario, 'name' | 'rounds'>;

/** Pure. What is expected of a scenario; undefined for one that has no row in 4.1. */
export function predict(
  { name, rounds = 1 }: Predictable,
  now: Circumstances,
  settings: Settings,
): Prediction | undefined {
  const once = predictions[name]?.(now, settings);
  if (once === undefined) return undefined;
  return {
    ...once,
    durationSeconds: times(once.durationSeconds, rounds),
    downtimeSeconds: times(once.downtimeSeconds, rounds),
  };
}

const times = ({ least, most }: Range, rounds: number): Range => range(least * rounds, most * rounds);

/** Applying, and the 60 s in which nothing may be disrupted (verify.ts). */
const phase3: Range = { least: 70, most: 70 + usual.newNode.most + usual.pulledStart.most + usual.recordLoop.most };

/** Pure. How long a run of these scenarios lasts, phase 3 included. */
export function runSeconds(scenarios: readonly Predictable[], now: Circumstances, settings: Settings): Range {
  return sum(phase3, ...scenarios.flatMap((scenario) => predict(scenario, now, settings)?.durationSeconds ?? []));
}
