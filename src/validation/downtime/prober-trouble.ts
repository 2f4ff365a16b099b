import type { LineExtra } from '../downtime-log/downtime-log.ts';
import type { JudgedListener } from './judged-log.ts';
import type { OutageKind } from './outage-kind.ts';

/** In front of who hears a judged log. */
export interface ProberGuard {
  readonly listener: JudgedListener;
  /** The log has ended: what was held back is passed on. */
  readonly end: () => void;
}

/** A line that waits, a bad sample or what came behind one. */
interface HeldLine {
  readonly at: number;
  readonly extra: LineExtra;
  /** Whether a failure of the control target can still make it unknown. */
  doubtful: boolean;
  pass: () => void;
}

interface Guarding {
  readonly to: JudgedListener;
  /** In the order of their starts; only what one interval holds. */
  readonly held: HeldLine[];
  control: string | undefined;
  intervalMs: number;
  /** When the control target last failed. */
  troubleAt: number;
}

/**
 * Pure. While the control target fails too, within an interval of it, it is the prober that has trouble: a bad sample then says nothing of the
 * application, and is unknown (facts 6.1). Good samples stay. Of the control target itself nothing is heard.
 */
export function withoutProberTrouble(to: JudgedListener): ProberGuard {
  const guarding: Guarding = {
    to,
    held: [],
    control: undefined,
    intervalMs: 0,
    troubleAt: Number.NEGATIVE_INFINITY,
  };
  const listener: JudgedListener = {
    part: (part) => {
      release(guarding, Number.POSITIVE_INFINITY);
      guarding.control = part.control;
      guarding.intervalMs = part.intervalSeconds * 1000;
      to.part(part);
    },
    sample: (at, millis, kind, status, extra) => {
      if (guarding.control === undefined) to.sample(at, millis, kind, status, extra);
      else takeSample(guarding, at, millis, kind, status, extra);
    },
    unknown: (at, ticks, extra) => {
      if (guarding.control === undefined) to.unknown(at, ticks, extra);
      else if (extra.target !== guarding.control) pass(guarding, at, extra, () => to.unknown(at, ticks, extra));
    },
    clockStep: to.clockStep,
  };
  return { listener, end: () => release(guarding, Number.POSITIVE_INFINITY) };
}

function takeSample(
  guarding: Guarding,
  at: number,
  millis: number,
  kind: OutageKind | undefined,
  status: number,
  extra: LineExtra,
): void {
  const { to, held, intervalMs } = guarding;
  if (extra.target === guarding.control) {
    if (kind !== undefined) clear(guarding, at);
  } else if (kind === undefined) pass(guarding, at, extra, () => to.sample(at, millis, kind, status, extra));
  else if (at - guarding.troubleAt <= intervalMs) pass(guarding, at, extra, () => to.unknown(at, 1, extra));
  else {
    release(guarding, at);
    held.push({ at, extra, doubtful: true, pass: () => to.sample(at, millis, kind, status, extra) });
  }
}

/** The control target failed then. */
function clear(guarding: Guarding, at: number): void {
  guarding.troubleAt = at;
  for (const line of guarding.held) {
    if (!line.doubtful || at - line.at > guarding.intervalMs) continue;
    line.doubtful = false;
    line.pass = () => guarding.to.unknown(line.at, 1, line.extra);
  }
}

/** What is in no doubt, behind what is. */
function pass(guarding: Guarding, at: number, extra: LineExtra, toPass: () => void): void {
  release(guarding, at);
  if (guarding.held.length === 0) toPass();
  else guarding.held.push({ at, extra, doubtful: false, pass: toPass });
}

/** Passes on what no failure of the control target from that instant on can touch. */
function release({ held, intervalMs }: Guarding, from: number): void {
  for (let first = held[0]; first !== undefined; first = held[0]) {
    if (first.doubtful && from - first.at <= intervalMs) return;
    held.shift();
    first.pass();
  }
}
