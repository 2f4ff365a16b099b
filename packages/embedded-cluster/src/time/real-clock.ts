import type { Clock } from '../outside/clock.ts';

/** setTimeout fires at once for anything longer (Node's documentation, `setTimeout`). */
const longestTimerMs = 2 ** 31 - 1;

/** A clock that shows `startsAt` (epoch milliseconds) now, and goes on in real time. */
export function realClock(startsAt = Date.now()): Clock {
  const originMs = performance.now();
  const monotonicSeconds = () => (performance.now() - originMs) / 1000;
  return {
    wallAt: () => Math.trunc(startsAt + performance.now() - originMs),
    monotonicSeconds,
    sleep: async (seconds, signal) => {
      const endsAtSeconds = monotonicSeconds() + seconds;
      do await nap(Math.min(longestTimerMs, 1000 * (endsAtSeconds - monotonicSeconds())), signal);
      while (monotonicSeconds() < endsAtSeconds);
    },
    hold: (_what, work) => work(),
  };
}

function nap(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const wake = () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const timer = setTimeout(wake, Math.max(0, ms));
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
