/**
 * More than the look at a growing file delays a line, and as little as the monitor's own watch of its clock calls a
 * step (docs/facts/measuring.md, "Clocks").
 */
const stepSeconds = 0.5;
/** Enough lines that the quickest of them was not delayed. */
const newestLines = 30;

/**
 * Two witnesses of when a line was written: its own time, and when it came here. No line comes before it was written,
 * so the quickest of the newest lines says how far the other clock is behind at most. Where that changes by more than a
 * step, one of the clocks was set. Times are cut off to their resolution, so that a change may be that much more or
 * less.
 */
export interface ClockWitness {
  /**
   * Takes by how much a line came late. Returns by how many seconds the other clock was set ahead, once for each time.
   */
  readonly line: (behindSeconds: number, resolutionSeconds: number) => number | undefined;
  /** The log itself says by how many seconds its clock was set ahead. */
  readonly told: (aheadSeconds: number) => void;
}

export function clockWitness(): ClockWitness {
  let known: number | undefined;
  let newest: readonly number[] = [];
  const line = (behind: number, resolution: number) => {
    newest = [...newest, behind].slice(-newestLines);
    const quickest = Math.min(...newest);
    if (known === undefined) {
      if (newest.length === newestLines) known = quickest;
      return undefined;
    }
    const least = stepSeconds + resolution;
    // Set ahead, the first line shows it; set back, all of the newest have to.
    const ahead = known - (behind < known - least ? behind : quickest);
    if (Math.abs(ahead) <= least) return undefined;
    known -= ahead;
    newest = [behind];
    return rounded(ahead, resolution);
  };
  const told = (ahead: number) => {
    known = known === undefined ? undefined : known - ahead;
    newest = newest.map((behind) => behind - ahead);
  };
  return { line, told };
}

/** To milliseconds, or to the resolution where that is coarser. */
function rounded(seconds: number, resolution: number): number {
  const unit = Math.max(resolution, 0.001);
  return Math.round(Math.round(seconds / unit) * unit * 1000) / 1000;
}
