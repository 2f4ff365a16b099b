import type { Clock } from '../../host/host.ts';
import type { LogFact } from '../downtime-log/log-facts.ts';

/** The longest sleep, so that a stall shorter than an interval is noticed too. */
const heartbeatSeconds = 0.25;
/** A timer that is later than this was delayed by more than a busy machine's scheduling. */
const stallSeconds = 0.1;
/** Wall and monotonic time differ by more than this only if the clock was set (docs/facts/measuring.md, "Clocks"). */
const clockStepSeconds = 0.25;

/**
 * Reports that the process did not run, or that the wall clock was set, whenever somebody waits. A machine that slept
 * did not run either, though no timer shows it.
 */
export interface ClockWatch {
  /** For how much of the last so many seconds the process did not run, this moment included. */
  readonly stalledSeconds: (last: number) => number;
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
  const stalls = recentStalls(clock);
  const stalled = (seconds: number) => {
    stalls.ended(seconds);
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
    const woken = stalls.due(before + length);
    const slept = await clock.sleep(length, signal).then(
      () => true,
      (error) => {
        if (signal.aborted) return false;
        throw error;
      },
    );
    woken();
    look(clock.monotonicSeconds() - before - length);
    return slept;
  };
  return {
    stalledSeconds: stalls.within,
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

/** Enough for the longest timeout of a probe. */
const mostStalls = 64;

/** By the monotonic clock, which does not go on while a machine sleeps. */
function recentStalls(clock: Clock) {
  const past: { readonly from: number; readonly to: number }[] = [];
  const naps = new Set<{ readonly until: number }>();
  return {
    /** A nap that is to end then; call what is returned when it has. */
    due: (until: number) => {
      const nap = { until };
      naps.add(nap);
      return () => void naps.delete(nap);
    },
    ended: (seconds: number) => {
      if (seconds <= stallSeconds) return;
      const to = clock.monotonicSeconds();
      past.push({ from: to - seconds, to });
      if (past.length > mostStalls) past.shift();
    },
    within: (last: number): number => {
      const now = clock.monotonicSeconds();
      // Those that wait run after a process that was stopped goes on, in whatever order.
      const overdue = [...naps]
        .map(({ until }) => ({ from: until, to: now }))
        .filter(({ from }) => now - from > stallSeconds);
      const [longest] = overdue.toSorted((one, other) => one.from - other.from);
      return [...past, ...(longest === undefined ? [] : [longest])].reduce(
        (sum, { from, to }) => sum + Math.max(0, Math.min(to, now) - Math.max(from, now - last)),
        0,
      );
    },
  };
}

const toMillisecond = (seconds: number) => Math.round(seconds * 1000) / 1000;
