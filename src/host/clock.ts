import { uptime } from 'node:os';
import type { Clock } from './host.ts';

/** setTimeout fires at once for anything longer (Node's documentation, `setTimeout`). */
const longestTimerSeconds = 2_147_483;

/** The machine's clocks. `hold` just awaits, because real time passes by itself. */
export function systemClock(): Clock {
  return {
    wallAt: () => Date.now(),
    monotonicSeconds: () => performance.now() / 1000,
    asleepSeconds: () => uptime() - performance.now() / 1000,
    sleep,
    hold: (_what, work) => work(),
  };
}

async function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  let left = seconds;
  while (left > longestTimerSeconds) {
    await nap(longestTimerSeconds, signal);
    left -= longestTimerSeconds;
  }
  await nap(left, signal);
}

function nap(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const wake = () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    // A time in the past means at once.
    const timer = setTimeout(wake, Math.max(0, seconds * 1000));
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
