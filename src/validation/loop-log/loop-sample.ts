/** One request of a loop, as its log has it. */
export interface LoopSample {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether the time has a fraction of a second. */
  readonly fine: boolean;
  /** No zone stands with the time. */
  readonly zoneless: boolean;
  /** Absent if the loop wrote only the date of this request. The time is NaN where it is unknown. */
  readonly result?: { readonly status: number; readonly millis: number };
  /** Where the lines of several loops are in one log. */
  readonly target?: string | undefined;
}

export interface LoopListener {
  readonly sample: (sample: LoopSample) => void;
  /** A line that is not understood. */
  readonly unread: (line: string) => void;
}
