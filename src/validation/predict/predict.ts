import { harmWithinSeconds } from '../frame.ts';
import { type Prediction, type Range, range, sum } from '../record/prediction.ts';
import { hasKarpenter, type Settings } from '../settings.ts';
import type { Circumstances } from './circumstances.ts';
import { typicalDurations } from './typical-durations.ts';

/** What a prediction needs of a scenario: the prediction of one round, and the number of rounds (1 by default). */
export interface Predictable {
  readonly predict: (now: Circumstances, settings: Settings) => Prediction;
  readonly rounds?: number;
  /** The most nodes that the autoscaler may start in all its rounds; none by default. */
  readonly newNodes?: (now: Circumstances) => number;
  /** How many requests it sends besides those of the monitor. */
  readonly requests?: (settings: Settings) => number;
}

/** The prediction of a scenario with all its rounds. */
export function predict(scenario: Predictable, now: Circumstances, settings: Settings): Prediction {
  const { rounds = 1 } = scenario;
  const once = withoutNewNodes(scenario.predict(now, settings), settings);
  return {
    ...once,
    durationSeconds: times(once.durationSeconds, rounds),
    downtimeSeconds: times(once.downtimeSeconds, rounds),
  };
}

/** Without Karpenter no node is launched for the pods of a scenario. */
function withoutNewNodes(prediction: Prediction, settings: Settings): Prediction {
  if (hasKarpenter(settings)) return prediction;
  const steps = prediction.steps.filter(({ measuredAs }) => measuredAs !== 'node-ready');
  return { ...prediction, nodeReadySeconds: null, steps };
}

const times = ({ least, most }: Range, rounds: number): Range => range(least * rounds, most * rounds);

/**
 * Applying takes about 10 s; then the nodes are watched. At most also a new node, an image and the DNS record are
 * awaited.
 */
const leastPhase3Seconds = 10 + harmWithinSeconds;
const phase3: Range = {
  least: leastPhase3Seconds,
  most:
    leastPhase3Seconds +
    typicalDurations.newNode.most +
    typicalDurations.pulledStart.most +
    typicalDurations.recordLoop.most,
};

/** How long a run of these scenarios lasts, phase 3 included. */
export function runSeconds(scenarios: readonly Predictable[], now: Circumstances, settings: Settings): Range {
  return sum(phase3, ...scenarios.map((scenario) => predict(scenario, now, settings).durationSeconds));
}
