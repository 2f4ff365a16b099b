/**
 * What is expected to happen in a scenario, derived from the settings and the live objects. Seconds count from the
 * first action.
 */
export interface Prediction {
  /** Of the whole scenario, from its baseline to the good samples after its undo. */
  readonly durationSeconds: Range;
  /** How long traffic may fail. */
  readonly downtimeSeconds: Range;
  /** Null if no new node, or pod, is expected. If one may come, the time if it does. */
  readonly nodeReadySeconds: Range | null;
  readonly podReadySeconds: Range | null;
  /** In the order of their latest times. */
  readonly steps: readonly PredictedStep[];
}
export interface Range {
  readonly least: number;
  readonly most: number;
}
export interface PredictedStep {
  readonly afterSeconds: Range;
  /** What it is measured as; absent if nothing that is observed shows it. */
  readonly measuredAs?: Clock | StepName;
  readonly what: string;
  /** The setting or the default that it follows from. */
  readonly because: string;
}

/** The clocks of a scenario's result. */
export type Clock = 'traffic' | 'node-ready' | 'pod-ready';

/** Steps that the watch of the cluster shows. `node` is the one that the scenario removed or emptied. */
export type StepName =
  | 'claim-drifted'
  | 'endpoint-removed'
  | 'ingress-ready'
  | 'load-ended'
  | 'node-empty'
  | 'node-gone'
  | 'node-tainted'
  | 'pods-gone'
  | 'replacement-asked';

/** Seconds from the disruption; a step that was not seen is absent. */
export type MeasuredSteps = { readonly [K in StepName]?: number };

export const range = (least: number, most: number): Range => ({ least, most });
export const never: Range = { least: 0, most: 0 };

/** The range of steps that follow one another. */
export function sum(...ranges: readonly Range[]): Range {
  return range(
    ranges.reduce((total, { least }) => total + least, 0),
    ranges.reduce((total, { most }) => total + most, 0),
  );
}
