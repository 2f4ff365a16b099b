import { instant } from '../../cluster/pods.ts';
import type { Bounded } from '../../figures/figures.js';
import type { ClockCompared } from '../record/clock-compared.ts';

/** An instant of our clock between two others, epoch milliseconds. */
export interface Moment {
  readonly from: number;
  readonly to: number;
  /** The best guess in between. */
  readonly at: number;
  /** Why its witnesses cannot both be right, or one of them came late. */
  readonly doubt?: string;
}

/** What saw a change of an object. Instants are epoch milliseconds of our clock. */
export interface Witnesses {
  /** The API's time of the change, in whole seconds of its clock. */
  readonly timestamp: string | undefined;
  /** When the watch brought it. */
  readonly arrivedAt: number | undefined;
  /** The request that caused it: it was not earlier. */
  readonly notBefore: number;
  readonly clock: ClockCompared;
}

/** A watch that brings a change later than this has been away. */
const lateSeconds = 1;

/**
 * When a change happened: in the second that the API gives, not before it was asked for, and not after the watch
 * brought it. Where these leave nothing, a clock was set or is wrong; what our own clock saw then counts alone.
 * Undefined if nothing saw it.
 */
export function happened({ timestamp, arrivedAt, notBefore, clock }: Witnesses): Moment | undefined {
  const second = secondOf(timestamp, clock);
  if (second === undefined || arrivedAt === undefined) return second ?? between(notBefore, arrivedAt);
  const [from, to] = [Math.max(second.from, notBefore), Math.min(second.to, arrivedAt)];
  if (from > to) {
    const apart = Math.max(second.from - arrivedAt, notBefore - second.to) / 1000;
    const doubt = `the API says ${timestamp}, ${apart.toFixed(1)} s apart from what this machine saw`;
    return { ...(between(notBefore, arrivedAt) ?? second), doubt };
  }
  const late = (arrivedAt - second.to) / 1000;
  if (late <= lateSeconds) return { from, to, at: arrivedAt <= second.to ? arrivedAt : (from + to) / 2 };
  return { from, to, at: (from + to) / 2, doubt: `the watch brought it ${late.toFixed(1)} s late` };
}

/**
 * The second of a timestamp, which is cut off and not rounded (docs/facts/kubernetes.md, "Timestamps"), on our clock.
 */
function secondOf(timestamp: string | undefined, { offsetSeconds, uncertaintySeconds }: ClockCompared) {
  const at = instant(timestamp);
  if (at === undefined) return undefined;
  const from = at - 1000 * (offsetSeconds + uncertaintySeconds);
  const to = at + 1000 - 1000 * (offsetSeconds - uncertaintySeconds);
  return { from, to, at: (from + to) / 2 };
}

const between = (from: number, to: number | undefined): Moment | undefined =>
  to === undefined || to < from ? undefined : { from, to, at: to };

/** An instant that our own clock gave. */
export const known = (at: number): Moment => ({ from: at, to: at, at });

/** From one moment to a later one. */
export function secondsBetween(since: Moment, until: Moment): Bounded {
  const seconds = (from: number, to: number) => Math.max(0, Math.round(to - from)) / 1000;
  const bounds = { lowerSeconds: seconds(since.to, until.from), upperSeconds: seconds(since.from, until.to) };
  const guess = seconds(since.at, until.at);
  return { seconds: Math.min(Math.max(guess, bounds.lowerSeconds), bounds.upperSeconds), ...bounds };
}

/** The longest of several, whichever it is; null without one. */
export function longestOf(all: readonly Bounded[]): Bounded | null {
  if (all.length === 0) return null;
  const most = (of: (one: Bounded) => number) => Math.max(...all.map(of));
  return {
    seconds: most(({ seconds }) => seconds),
    lowerSeconds: most(({ lowerSeconds }) => lowerSeconds),
    upperSeconds: most(({ upperSeconds }) => upperSeconds),
  };
}
