/** Something that happened in a run. */
export interface Progress {
  /** ISO 8601; in a rehearsal, of its own time. */
  readonly at: string;
  /** The name of the fact: `scenario-started`, `step-finished`. */
  readonly type: string;
  /** The scenario that it is of. */
  readonly scenario?: string;
  /** A line of the deployment log, or the name of a step. */
  readonly text?: string;
}
export type OnProgress = (progress: Progress) => void;
