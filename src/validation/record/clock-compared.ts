/** How far the API server's clock is ahead of ours, between offset − uncertainty and offset + uncertainty. */
export interface ClockCompared {
  readonly offsetSeconds: number;
  readonly uncertaintySeconds: number;
  /**
   * How far the clock of the downtime log's machine is behind ours, a line's way included; absent for an own monitor.
   */
  readonly logBehindSeconds?: number;
}

/** What a run without a comparison was allowed to differ by (the check `clocks`). */
export const notCompared: ClockCompared = { offsetSeconds: 0, uncertaintySeconds: 1 };
