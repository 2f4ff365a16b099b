import type { Clock } from '../../host/host.ts';
import type { LogFact } from '../downtime-log/log-facts.ts';

/** The longest sleep, so that a stall shorter than an interval is noticed too. */
const heartbeatSeconds = 0.25;
/** A timer that is later than this was delayed by more than a busy machine's scheduling. */
const stallSeconds = 0.1;
/** Wall and monotonic time differ by more than this only if the clock was set (docs/facts/measuring.md, "Clocks"). */
const clockStepSeconds = 0.25;

/** Reports that the process did not run, or that the wall clock was set, whenever somebody waits. A machine that slept did not run either, though no timer shows it. */
export interface ClockWatch {
  /** Looks now, before a time of the wall clock is written down. */
  readonly look: () => void;
  /** Sleeps for so long, at most a heartbeat; false if the signal came first. */
  readonly nap: (seconds: number, signal: AbortSignal) => Promise<boolean>;
  /** Waits for it, which does not reject. */
  readonly waitFor: (done: Promise<void>) => Promise<void>;
}

export function clockWatch(clock: Clock, report: (fact: LogFact) => void): ClockWatch {
  const offset = () => clock.wallAt() / 1000 - clock.monotonicSeconds();
  const asleep = () => clock.asleepSeconds?.() ?? 0;
  let [known, knownAsleep] = [offset(), asleep()];
  const stalled = (seconds: number) => {
    if (seconds > stallSeconds) report({ type: 'stall', seconds, from: Math.round(clock.wallAt() - seconds * 1000) });
  };
  const look = (lateSeconds = 0) => {
    const stepped = toMillisecond(offset() - known);
    if (Math.abs(stepped) > clockStepSeconds) {
      const slept = asleep() - knownAsleep > clockStepSeconds ? asleep() - knownAsleep : 0;
      const set = toMillisecond(stepped - slept);
      [known, knownAsleep] = [known + stepped, asleep()];
      if (Math.abs(set) > clockStepSeconds) report({ type: 'clock-step', seconds: set });
      stalled(slept);
    }
    stalled(lateSeconds);
  };
  const nap: ClockWatch['nap'] = async (seconds, signal) => {
    const length = Math.min(seconds, heartbeatSeconds);
    const before = clock.monotonicSeconds();
    const slept = await clock.sleep(length, signal).then(
      () => true,
      (error) => {
        if (signal.aborted) return false;
        throw error;
      },
    );
    look(clock.monotonicSeconds() - before - length);
    return slept;
  };
  return {
    look: () => look(),
    nap,
    waitFor: async (done) => {
      const ended = new AbortController();
      const ending = done.then(() => ended.abort());
      while (!ended.signal.aborted) await nap(heartbeatSeconds, ended.signal);
      await ending;
    },
  };
}

const toMillisecond = (seconds: number) => Math.round(seconds * 1000) / 1000;
