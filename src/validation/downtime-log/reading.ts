import type { LogHeader } from './downtime-log.ts';
import { type LineExtras, lineExtras } from './line-extras.ts';
import type { ClockStep, LogListener } from './log-listener.ts';
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

/**
 * Steps of the prober's clock before which samples are still held back to be sorted, all of them by the newest clock.
 */
interface PendingSteps {
  /** What is held back began at that instant or earlier, by the clock as it is set now. */
  readonly add: (step: ClockStep, newestAt: number) => void;
  /**
   * When a sample began by the clock as it was set then. Call in the order of the samples: a step is passed before the
   * first one behind it.
   */
  readonly ownTime: (at: number) => number;
  /** No sample comes any more. */
  readonly end: () => void;
}

interface Pending {
  readonly step: ClockStep;
  untilAt: number;
}

function pendingSteps(passed: (step: ClockStep) => void): PendingSteps {
  const pending: Pending[] = [];
  const pass = (before: number) => {
    for (let first = pending[0]; first !== undefined && before > first.untilAt; first = pending[0]) {
      pending.shift();
      passed(first.step);
    }
  };
  return {
    add: (step, newestAt) => {
      for (const one of pending) one.untilAt += step.aheadMs;
      pending.push({ step, untilAt: newestAt });
    },
    ownTime: (at) => {
      if (pending.length === 0) return at;
      pass(at);
      return pending.reduce((own, { step }) => own - step.aheadMs, at);
    },
    end: () => pass(Number.POSITIVE_INFINITY),
  };
}
