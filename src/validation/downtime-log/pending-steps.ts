import type { ClockStep } from './log-listener.ts';

/** Steps of the prober's clock before which samples are still held back to be sorted, all of them by the newest clock. */
export interface PendingSteps {
  /** What is held back began at that instant or earlier, by the clock as it is set now. */
  readonly add: (step: ClockStep, newestAt: number) => void;
  /** When a sample began by the clock as it was set then. Call in the order of the samples: a step is passed before the first one behind it. */
  readonly ownTime: (at: number) => number;
  /** No sample comes any more. */
  readonly end: () => void;
}

interface Pending {
  readonly step: ClockStep;
  untilAt: number;
}

export function pendingSteps(passed: (step: ClockStep) => void): PendingSteps {
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
