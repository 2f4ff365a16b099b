import { type Range, sum } from '../record/prediction.ts';
import type { Settings } from '../settings.ts';
import type { Circumstances } from './circumstances.ts';
import { type Predictable, predict, runSeconds } from './predict.ts';

/** What a run takes, told before it begins. */
export interface RunCost {
  readonly durationSeconds: Range;
  /** How long users of the application may be without it. */
  readonly downtimeSeconds: Range;
  /** Nodes that the autoscaler may make; it takes them away again as it does any others. */
  readonly newNodes: number;
  /** Of the monitor, on new and on kept connections, and of the load. */
  readonly requests: Range;
}

/** New and kept connections (monitor.ts). */
const probesAtOnce = 2;

/** Pure. */
export function runCost(scenarios: readonly Predictable[], now: Circumstances, settings: Settings): RunCost {
  const durationSeconds = runSeconds(scenarios, now, settings);
  const predictions = scenarios.map((scenario) => predict(scenario, now, settings));
  const load = scenarios.reduce((total, { requests }) => total + (requests?.(settings) ?? 0), 0);
  const probes = (seconds: number) => Math.round((seconds / settings.monitor.interval) * probesAtOnce);
  return {
    durationSeconds,
    downtimeSeconds: sum(...predictions.map(({ downtimeSeconds }) => downtimeSeconds)),
    newNodes: predictions.filter(({ nodeReadySeconds }) => nodeReadySeconds !== null).length,
    requests: { least: probes(durationSeconds.least) + load, most: probes(durationSeconds.most) + load },
  };
}
