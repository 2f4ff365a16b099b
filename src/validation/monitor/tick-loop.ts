import type { Clock, Host } from '../../host/host.ts';
import type { LogFact } from '../downtime-log/log-facts.ts';

/** Timers have whole milliseconds, and may be early by one. */
const earlySeconds = 0.001;
/** The longest sleep, so that a stall shorter than an interval is seen as well. */
const heartbeatSeconds = 0.25;
/** A timer that is this late was held up by more than the scheduling of a busy machine. */
const stallSeconds = 0.1;
/** Wall and monotonic time apart by more than this, and somebody set the clock (facts 6.6). */
const clockStepSeconds = 0.25;

export interface TickHearer {
  /** Now, by the target's place in the list. */
  readonly tick: (target: number) => void;
  readonly fact: (fact: LogFact) => void;
}

/**
 * Calls each target's ticks at start + i × interval on the monotonic clock, after one random phase (RFC 3432), the targets spread over the interval,
 * until the signal is aborted. A tick that is an interval late or more is missed, and said to be; nothing is made up for.
 */
export async function tickLoop(
  { clock, random }: Host,
  intervalSeconds: number,
  targets: number,
  signal: AbortSignal,
  hear: TickHearer,
): Promise<void> {
  const step = intervalSeconds / targets;
  const startSeconds = clock.monotonicSeconds() + random('monitor')() * intervalSeconds;
  const watch = clockWatch(clock, hear.fact);
  for (let next = 0; await reached(clock, startSeconds + next * step, watch, signal); ) {
    const lateSeconds = clock.monotonicSeconds() - (startSeconds + next * step);
    const missed = Math.floor(lateSeconds / intervalSeconds);
    if (missed > 0) {
      hear.fact({
        type: 'missed',
        ticks: missed,
        from: Math.round(clock.wallAt() - lateSeconds * 1000),
        reason: 'event-loop',
      });
      next += missed * targets;
    }
    hear.tick(next++ % targets);
  }
}

/** Sleeps until then; false when the signal came first. */
async function reached(
  clock: Clock,
  atSeconds: number,
  watch: (lateSeconds: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  for (
    let left = atSeconds - clock.monotonicSeconds();
    left > earlySeconds;
    left = atSeconds - clock.monotonicSeconds()
  ) {
    const nap = Math.min(left, heartbeatSeconds);
    const before = clock.monotonicSeconds();
    try {
      await clock.sleep(nap, signal);
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
    watch(clock.monotonicSeconds() - before - nap);
  }
  return !signal.aborted;
}

/** Says when the machine stood still, and when its wall clock was set. */
function clockWatch(clock: Clock, hear: TickHearer['fact']): (lateSeconds: number) => void {
  const offset = () => clock.wallAt() / 1000 - clock.monotonicSeconds();
  let known = offset();
  return (lateSeconds) => {
    const stepped = Math.round((offset() - known) * 1000) / 1000;
    if (Math.abs(stepped) > clockStepSeconds) {
      known += stepped;
      hear({ type: 'clock-step', seconds: stepped });
    }
    if (lateSeconds > stallSeconds)
      hear({ type: 'stall', seconds: lateSeconds, from: Math.round(clock.wallAt() - lateSeconds * 1000) });
  };
}
