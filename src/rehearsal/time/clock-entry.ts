/** Sleepers and held work stand in one line of (instant, registration): time cannot pass work that is not ready. */
export interface Entry {
  readonly atMs: number;
  readonly turn: number;
  readonly what: string;
  ready: boolean;
  /** Absent: cancelled. */
  fire: (() => void) | undefined;
  readonly signal: AbortSignal | undefined;
  reject: ((reason: unknown) => void) | undefined;
}
