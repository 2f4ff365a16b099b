import { type Range, sum } from '../record/prediction.ts';
import { hasKarpenter, type Settings } from '../settings.ts';
import type { Circumstances } from './circumstances.ts';
import { type Predictable, predict, runSeconds } from './predict.ts';

/** What a run costs, predicted before it begins. */
export interface RunCost {
  readonly durationSeconds: Range;
  /** How long the application may be down for its users. */
  readonly downtimeSeconds: Range;
  /** The most nodes that the autoscaler may create, and later removes like any others. */
  readonly newNodes: number;
  /** For what. */
  readonly newNodesOf: readonly NewNodes[];
  /** Requests of the monitor, on new and kept connections, and of the scenarios. */
  readonly requests: Range;
}

/** The monitor probes on a new and on a kept connection. */
const probesAtOnce = 2;

/** What a run of these scenarios costs, after a phase 3 that may start so many nodes. */
export function runCost(
  scenarios: readonly (Predictable & { readonly name: string })[],
  now: Circumstances,
  settings: Settings,
  phase3Nodes = 0,
): RunCost {
  const newNodes = hasKarpenter(settings) ? newNodesOf(scenarios, now, phase3Nodes) : [];
  const durationSeconds = runSeconds(scenarios, now, settings);
  const predictions = scenarios.map((scenario) => predict(scenario, now, settings));
  const load = scenarios.reduce((total, { requests }) => total + (requests?.(settings) ?? 0), 0);
  const probes = (seconds: number) => Math.round((seconds / settings.monitor.interval) * probesAtOnce);
  return {
    durationSeconds,
    downtimeSeconds: sum(...predictions.map(({ downtimeSeconds }) => downtimeSeconds)),
    newNodes: newNodes.reduce((total, { nodes }) => total + nodes, 0),
    newNodesOf: newNodes,
    requests: { least: probes(durationSeconds.least) + load, most: probes(durationSeconds.most) + load },
  };
}

/** Nodes that the autoscaler may start for a part of a run. */
interface NewNodes {
  /** `phase 3`, or a scenario's name. */
  readonly of: string;
  readonly nodes: number;
}

/** The parts of a run that may need new nodes, in their order: a node that one of them leaves has room in the next. */
export function newNodesOf(
  scenarios: readonly (Predictable & { readonly name: string })[],
  now: Circumstances,
  phase3: number,
): readonly NewNodes[] {
  let { poolNodes } = now;
  const parts = [{ of: 'phase 3', nodes: phase3 }];
  for (const { name, newNodes } of scenarios) {
    const nodes = newNodes?.({ ...now, poolNodes }) ?? 0;
    if (now.keepsEmptyNodes) poolNodes += nodes;
    parts.push({ of: name, nodes });
  }
  return parts.filter(({ nodes }) => nodes > 0);
}
