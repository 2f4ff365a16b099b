import type { LoopSample } from '../loop-log/loop-sample.ts';
import type { ClockStep } from './log-listener.ts';

const hourMs = 3_600_000;
/**
 * Between the last line before the change and the first behind it, beside the hour: a request that hangs, and then a
 * few.
 */
const mostGapMs = 120_000;
/** A loop with a longer interval may skip an hour by itself. */
const longestInterval = 600;

export interface LocalHours {
  /** When the sample began, by a clock that goes on. */
  readonly timeOf: (sample: LoopSample, intervalSeconds: number) => number;
}

/**
 * Times without a zone may be local ones. Where they go back by an hour, daylight saving has ended: those behind go on
 * as before, so that an hour which is there twice lasts two hours. Where they leave out the hour from one full hour to
 * the next, it has begun, or nothing was probed: `stepped` is called for both.
 */
export function localHours(stepped: (step: ClockStep) => void): LocalHours {
  let shiftMs = 0;
  let last = Number.NaN;
  return {
    timeOf: ({ at, zoneless }, intervalSeconds) => {
      if (!zoneless || intervalSeconds > longestInterval) return at + shiftMs;
      const jump = at + shiftMs - last;
      if (jump <= -hourMs + mostGapMs && jump >= -hourMs - 2000) {
        shiftMs += hourMs;
        stepped({ at: last, seconds: -hourMs / 1000, aheadMs: 0 });
      } else if (isMissingHour(last, jump)) {
        const back = Math.min(shiftMs, hourMs);
        shiftMs -= back;
        stepped({ at: last, seconds: hourMs / 1000, aheadMs: hourMs - back });
      }
      last = at + shiftMs;
      return last;
    },
  };
}

const isMissingHour = (last: number, jump: number): boolean =>
  jump >= hourMs &&
  jump <= hourMs + mostGapMs &&
  last % hourMs >= hourMs - mostGapMs &&
  (last % hourMs) + jump >= 2 * hourMs;
