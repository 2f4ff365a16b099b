import type { LoggedSample } from '../downtime-log/downtime-log.ts';
import type { JudgedListener } from './judged-log.ts';
import type { OutageKind } from './outage-kind.ts';

export interface ProberGuard {
  readonly listener: JudgedListener;
  /** Call at the end of the log: passes on what is still held back. */
  readonly end: () => void;
}

/** A bad sample that waits for the control target's next samples, or a sample held back to keep the order. */
interface HeldSample {
  readonly sample: LoggedSample;
  kind: OutageKind | undefined;
  /** Whether a failure of the control target can still make it unknown. */
  doubtful: boolean;
}

interface Guarding {
  readonly to: JudgedListener;
  /** In the order of their starts; only what one interval holds. */
  readonly held: HeldSample[];
  control: string | undefined;
  intervalMs: number;
  /** When the control target last failed. */
  troubleAt: number;
}

/**
 * While the control target fails too, within an interval, it is the prober that has trouble: a bad sample then says
 * nothing about the application and becomes unknown (docs/facts/measuring.md, "Unknown samples"). Good samples stay
 * good. The control target's own samples are not passed on.
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
    sample: (sample, kind) => {
      if (guarding.control === undefined) to.sample(sample, kind);
      else if (sample.extra.target !== guarding.control) takeSample(guarding, sample, kind);
      else if (kind !== undefined) takeTrouble(guarding, sample.at);
    },
    clockStep: to.clockStep,
    quiet: (run) => guarding.control === undefined && to.quiet?.(run) === true,
  };
  return { listener, end: () => release(guarding, Number.POSITIVE_INFINITY) };
}

function takeSample(guarding: Guarding, sample: LoggedSample, kind: OutageKind | undefined): void {
  const { to, held, intervalMs, troubleAt } = guarding;
  release(guarding, sample.at);
  const isTrouble = kind !== undefined && sample.at - troubleAt <= intervalMs;
  if (isTrouble) sample.unknownTicks = 1;
  const judged = isTrouble ? undefined : kind;
  if (judged === undefined && held.length === 0) to.sample(sample, undefined);
  else held.push({ sample: { ...sample }, kind: judged, doubtful: judged !== undefined });
}

/** The control target failed at that instant. */
function takeTrouble(guarding: Guarding, at: number): void {
  guarding.troubleAt = at;
  for (const held of guarding.held) {
    if (!held.doubtful || at - held.sample.at > guarding.intervalMs) continue;
    held.doubtful = false;
    held.sample.unknownTicks = 1;
    held.kind = undefined;
  }
}

/** Passes on the samples that no failure of the control target from that instant on can make unknown. */
function release({ to, held, intervalMs }: Guarding, from: number): void {
  for (let first = held[0]; first !== undefined; first = held[0]) {
    if (first.doubtful && from - first.sample.at <= intervalMs) return;
    held.shift();
    to.sample(first.sample, first.kind);
  }
}
