import type { LogPart, OnSample } from './downtime-log.ts';
import type { QuietRun } from './quiet-run.ts';

/** The wall clock of the prober was set by so much, ahead or (negative) back. */
export interface ClockStep {
  /** When the newest sample before it began. */
  readonly at: number;
  readonly seconds: number;
  /**
   * By so much the times behind it are later than they would have been: less, where the clock had been set back before.
   */
  readonly aheadMs: number;
}

/**
 * Receives what a log says. Instants are epoch milliseconds and never go back: after the clock was set back, later ones
 * are shifted.
 */
export interface LogListener {
  readonly part: (part: LogPart) => void;
  /** In the order of the starts. */
  readonly sample: OnSample;
  /** The monitor itself did not run; comes before the samples that it delayed. */
  readonly stall: (from: number, to: number) => void;
  /** Comes between the samples before it and those behind it. */
  readonly clockStep: (step: ClockStep) => void;
  /**
   * Takes a quiet run instead of its samples; false, with nothing changed, if the samples have to be passed on one by
   * one.
   */
  readonly quiet?: ((run: QuietRun) => boolean) | undefined;
}
