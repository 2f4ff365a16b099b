import type { Tick } from '../../src/validation/downtime/downtime-meter.ts';

/** When something was down, epoch milliseconds; the stretches do not touch. */
export interface Course {
  readonly from: number;
  readonly to: number;
  readonly downs: readonly { readonly from: number; readonly to: number }[];
}

/** Lengths of alternating stretches, the first of them up or down. */
export function course(from: number, lengths: readonly number[], startsDown: boolean): Course {
  let at = from;
  const downs = lengths.flatMap((length, index) => {
    const begun = at;
    at += length;
    return (index % 2 === 0) === startsDown ? [{ from: begun, to: at }] : [];
  });
  return { from, to: at, downs };
}

export function downMs({ downs }: Course, from: number, to: number): number {
  return downs.reduce((sum, down) => sum + Math.max(0, Math.min(down.to, to) - Math.max(down.from, from)), 0);
}

const isDown = ({ downs }: Course, at: number): boolean => downs.some(({ from, to }) => at >= from && at < to);

export interface Probes {
  readonly everyMs: number;
  /** Of the first one, from the beginning of the course. */
  readonly phaseMs: number;
  /** How late each one starts; the schedule stays. */
  readonly jitterMs?: () => number;
  readonly edge?: true;
}

/** What these probes see: each answer is there at once. */
export function samplesOf(real: Course, { everyMs, phaseMs, jitterMs = () => 0, edge }: Probes): readonly Tick[] {
  const samples: Tick[] = [];
  for (let due = real.from + phaseMs; due < real.to; due += everyMs) {
    const at = Math.min(real.to - 1, Math.round(due + jitterMs()));
    samples.push({ at, millis: 1, ...(isDown(real, at) ? { kind: 'refused' as const } : {}), ...(edge && { edge }) });
  }
  return samples.toSorted((a, b) => a.at - b.at);
}

export const inOrder = (...streams: readonly (readonly Tick[])[]): readonly Tick[] =>
  streams.flat().toSorted((a, b) => a.at - b.at);
