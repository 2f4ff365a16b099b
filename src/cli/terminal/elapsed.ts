import { readableDuration } from '../../figures/figures.js';

/** A time that goes on, in whole seconds: tenths would change with each redraw. */
export function elapsed(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  return whole < 60 ? `${whole} s` : readableDuration(whole);
}
