/** What is expected to happen in a scenario, from the settings and the live objects. Seconds count from the first action. */
export interface Prediction {
  /** Of the whole scenario, with its baseline and its quiet tail. */
  readonly durationSeconds: Range;
  /** How long traffic may fail. */
  readonly downtimeSeconds: Range;
  /** Null where no node, or no pod, is expected to come; where one may come, its time if it does. */
  readonly nodeReadySeconds: Range | null;
  readonly podReadySeconds: Range | null;
  /** What happens when, in the order of the latest moments. */
  readonly steps: readonly PredictedStep[];
}
export interface Range {
  readonly least: number;
  readonly most: number;
}
export interface PredictedStep {
  readonly afterSeconds: Range;
  readonly what: string;
  /** The setting or the default that it follows from. */
  readonly because: string;
}

export const range = (least: number, most: number): Range => ({ least, most });
export const never: Range = { least: 0, most: 0 };

/** One thing after the other. */
export function sum(...ranges: readonly Range[]): Range {
  return range(
    ranges.reduce((total, { least }) => total + least, 0),
    ranges.reduce((total, { most }) => total + most, 0),
  );
}
