import type { Clock, Host } from '../../host/host.ts';
import type { LogFact } from '../downtime-log/log-facts.ts';
import { type ClockWatch, clockWatch } from './clock-watch.ts';

/** Timers have whole milliseconds and may fire one early. */
const earlySeconds = 0.001;
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
 * Calls `tick` for each target at start + i × interval on the monotonic clock until the signal is aborted. The start
 * has a random phase (RFC 3432, section 4), and the targets are spread over the interval. A tick that is an interval
 * late or more is reported as missed and not made up for.
 */
export async function tickLoop(
  { clock, random }: Host,
  { intervalSeconds, targets, stream }: Ticks,
  signal: AbortSignal,
  listener: TickListener,
  watch: ClockWatch = clockWatch(clock, listener.fact),
): Promise<void> {
  const step = intervalSeconds / targets;
  const startSeconds = clock.monotonicSeconds() + random(stream)() * intervalSeconds;
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
async function reached(clock: Clock, atSeconds: number, { nap }: ClockWatch, signal: AbortSignal): Promise<boolean> {
  for (
    let left = atSeconds - clock.monotonicSeconds();
    left > earlySeconds;
    left = atSeconds - clock.monotonicSeconds()
  )
    if (!(await nap(left, signal))) return false;
  return !signal.aborted;
}
