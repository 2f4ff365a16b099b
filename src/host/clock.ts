import type { Clock } from './host.ts';

/** setTimeout fires at once for anything longer (Node's documentation, `setTimeout`). */
const LONGEST_TIMER_SECONDS = 2_147_483;

/** The machine's own clocks. Real time passes by itself, so work that is held is simply awaited. */
export function systemClock(): Clock {
  return {
    wallAt: () => Date.now(),
    monotonicSeconds: () => performance.now() / 1000,
    sleep,
    hold: (_what, work) => work(),
  };
}

async function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  let left = seconds;
  while (left > LONGEST_TIMER_SECONDS) {
    await nap(LONGEST_TIMER_SECONDS, signal);
    left -= LONGEST_TIMER_SECONDS;
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
    // What should have been before is at once.
    const timer = setTimeout(wake, Math.max(0, seconds * 1000));
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
