import type { LoadResult } from '../../host/host.ts';

/** A load as the journal has it. */
export interface LoadRecorded extends LoadResult {
  /** Of a load that pods made. */
  readonly workers?: WorkersSeen;
  /** The program that made the requests; absent: holdfast. */
  readonly generator?: string;
}
export interface WorkersSeen {
  readonly asked: number;
  /** Those that sent their whole share, from the common start on. */
  readonly sound: number;
  /** From the first start to the last, by the clocks of the workers' machines; null with fewer than two. */
  readonly startSpreadSeconds: number | null;
  /** Workers whose times are not in the histogram. */
  readonly untimed: number;
  readonly amiss: readonly WorkerAmiss[];
}
/** A worker that did not send its whole share. */
export interface WorkerAmiss {
  readonly index: number;
  readonly what: 'lost' | 'late' | 'starved' | 'stopped';
  readonly because: string;
  readonly pod?: string;
  /** Its share. */
  readonly requests: number;
  readonly unsent: number;
}
