import { type Prediction, type Range, range, sum } from '../record/prediction.ts';
import type { Settings } from '../settings.ts';
import type { Circumstances } from './circumstances.ts';
import { usual } from './typical-durations.ts';

/** A scenario, as far as a prediction goes: what one round of it brings, and how many rounds its window has (1 where it is not said). */
export interface Predictable {
  readonly predict: (now: Circumstances, settings: Settings) => Prediction;
  readonly rounds?: number;
  /** How many requests it sends besides the monitor's. */
  readonly requests?: (settings: Settings) => number;
}

/** What is expected of a scenario with all its rounds. */
export function predict(scenario: Predictable, now: Circumstances, settings: Settings): Prediction {
  const { rounds = 1 } = scenario;
  const once = scenario.predict(now, settings);
  return {
    ...once,
    durationSeconds: times(once.durationSeconds, rounds),
    downtimeSeconds: times(once.downtimeSeconds, rounds),
  };
}

const times = ({ least, most }: Range, rounds: number): Range => range(least * rounds, most * rounds);

/** Applying, and the 60 s in which nothing may be disrupted (verify.ts). */
const phase3: Range = { least: 70, most: 70 + usual.newNode.most + usual.pulledStart.most + usual.recordLoop.most };

/** How long a run of these scenarios lasts, phase 3 included. */
export function runSeconds(scenarios: readonly Predictable[], now: Circumstances, settings: Settings): Range {
  return sum(phase3, ...scenarios.map((scenario) => predict(scenario, now, settings).durationSeconds));
}
