import type { Clock, Host } from '../../host/host.ts';
import type { LogFact } from '../downtime-log/log-facts.ts';

/** Timers have whole milliseconds and may fire one early. */
const earlySeconds = 0.001;
/** The longest sleep, so that a stall shorter than an interval is noticed too. */
const heartbeatSeconds = 0.25;
/** A timer that is later than this was delayed by more than a busy machine's scheduling. */
const stallSeconds = 0.1;
/** Wall and monotonic time differ by more than this only if the clock was set (docs/facts/measuring.md, "Clocks"). */
const clockStepSeconds = 0.25;

export interface Ticks {
  readonly intervalSeconds: number;
  readonly targets: number;
  /** Of random numbers, for the phase. */
  readonly stream: string;
}

export interface TickListener {
  /** It is the tick of the target with this index. */
  readonly tick: (target: number) => void;
  readonly fact: (fact: LogFact) => void;
}

/**
 * Calls `tick` for each target at start + i × interval on the monotonic clock until the signal is aborted. The start has a random phase (RFC 3432,
 * section 4), and the targets are spread over the interval. A tick that is an interval late or more is reported as missed and not made up for.
 */
export async function tickLoop(
  { clock, random }: Host,
  { intervalSeconds, targets, stream }: Ticks,
  signal: AbortSignal,
  listener: TickListener,
): Promise<void> {
  const step = intervalSeconds / targets;
  const startSeconds = clock.monotonicSeconds() + random(stream)() * intervalSeconds;
  const watch = clockWatch(clock, listener.fact);
  for (let next = 0; await reached(clock, startSeconds + next * step, watch, signal); ) {
    const lateSeconds = clock.monotonicSeconds() - (startSeconds + next * step);
    const missed = Math.floor(lateSeconds / intervalSeconds);
    if (missed > 0) {
      listener.fact({
        type: 'missed',
        ticks: missed,
        from: Math.round(clock.wallAt() - lateSeconds * 1000),
        reason: 'event-loop',
      });
      next += missed * targets;
    }
    listener.tick(next++ % targets);
  }
}

/** Sleeps until that time; false if the signal came first. */
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

/** Reports that the process did not run, or that the wall clock was set. */
function clockWatch(clock: Clock, report: TickListener['fact']): (lateSeconds: number) => void {
  const offset = () => clock.wallAt() / 1000 - clock.monotonicSeconds();
  let known = offset();
  return (lateSeconds) => {
    const stepped = Math.round((offset() - known) * 1000) / 1000;
    if (Math.abs(stepped) > clockStepSeconds) {
      known += stepped;
      report({ type: 'clock-step', seconds: stepped });
    }
    if (lateSeconds > stallSeconds)
      report({ type: 'stall', seconds: lateSeconds, from: Math.round(clock.wallAt() - lateSeconds * 1000) });
  };
}
