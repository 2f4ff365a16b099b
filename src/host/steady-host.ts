import { uptime } from 'node:os';
import type { Clock, Host } from './host.ts';

/**
 * Wall and monotonic time differ by more than this only if the clock was set, or the machine slept
 * (docs/facts/measuring.md, "Clocks").
 */
const leastStepMs = 250;

/**
 * The host with a wall clock that nobody sets: the machine's as it is now, which goes on by the monotonic clock. Times
 * that were recorded before and after the machine's clock was set can be compared, and `setSeconds` of the clock says
 * by how much it was.
 */
export function steadyHost<H extends Pick<Host, 'clock' | 'probe' | 'load'>>(host: H, uptimeSeconds = uptime): H {
  const clock = steadyClock(host.clock, uptimeSeconds);
  /** What began at that instant has its time by the machine's clock. */
  const corrected = (at: number, machineAt: number) => (clock.setSeconds() === 0 ? machineAt : at);
  return {
    ...host,
    clock,
    probe: async (...given) => {
      const at = clock.wallAt();
      const sample = await host.probe(...given);
      return { ...sample, at: corrected(at, sample.at) };
    },
    load: async (...given) => {
      const at = clock.wallAt();
      const told = await host.load(...given);
      return { ...told, startedAt: corrected(at, told.startedAt) };
    },
  };
}

function steadyClock(clock: Clock, uptimeSeconds: () => number): Clock & Required<Pick<Clock, 'setSeconds'>> {
  const ahead = () => clock.wallAt() - clock.monotonicSeconds() * 1000;
  /** The monotonic clock stands still while the machine sleeps, and its uptime does not. */
  const asleep = () => (uptimeSeconds() - clock.monotonicSeconds()) * 1000;
  const clear = (ms: number) => (Math.abs(ms) > leastStepMs ? Math.round(ms) : 0);
  let [aheadAtFirst, asleepAtFirst] = [ahead(), asleep()];
  let [known, setMs] = [0, 0];
  const followMachine = () => {
    [aheadAtFirst, asleepAtFirst] = [ahead(), asleep()];
    [known, setMs] = [0, 0];
  };
  const set = () => {
    const drift = Math.round(ahead() - aheadAtFirst);
    if (Math.abs(drift - known) > leastStepMs) {
      known = drift;
      const step = drift - clear(asleep() - asleepAtFirst);
      setMs = clear(step);
    }
    return setMs;
  };
  return { ...clock, wallAt: () => clock.wallAt() - set(), setSeconds: () => set() / 1000, followMachine };
}
