import type { LogHeader } from './downtime-log.ts';
import { type LineExtras, lineExtras } from './line-extras.ts';
import type { LogListener } from './log-listener.ts';
import { type PendingSteps, pendingSteps } from './pending-steps.ts';
import type { ReorderBuffer } from './reorder-buffer.ts';

/** How far a log has been read. */
export interface Reading {
  readonly listener: LogListener;
  readonly steps: PendingSteps;
  readonly extras: LineExtras;
  /** Absent before the first header, and for a curl loop's log. */
  order: ReorderBuffer | undefined;
  /** The part's header, as it was written. */
  header: string;
  /** The settings of the part; absent for a curl loop's log. */
  part: LogHeader | undefined;
  /** The part has no header, so it is unknown which of its named targets counts. */
  lacksHeader: boolean;
  /** No line of the part has come yet. */
  begins: boolean;
  timeoutMs: number;
  /** Added to the times of a clock that was set back, so that times never go back. */
  shiftMs: number;
  /** Start of the newest sample that was passed on, by the clock of those that follow. */
  passedAt: number;
}

export function begunReading(listener: LogListener): Reading {
  const reading: Reading = {
    listener,
    steps: pendingSteps((step) => {
      reading.passedAt += step.aheadMs;
      listener.clockStep(step);
    }),
    extras: lineExtras(),
    order: undefined,
    header: '',
    part: undefined,
    lacksHeader: false,
    begins: false,
    timeoutMs: 0,
    shiftMs: 0,
    passedAt: Number.NEGATIVE_INFINITY,
  };
  return reading;
}
