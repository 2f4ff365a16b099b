/** CPU time of processes, by interval between two scrapes. */
export interface CpuMeter {
  /**
   * Adds CPU seconds of a container: to the current interval, or evenly from one instant to another, epoch
   * milliseconds.
   */
  readonly spend: (
    containerId: string,
    seconds: number,
    during?: { readonly from: number; readonly to: number },
  ) => void;
  /** The last complete interval: its end (epoch milliseconds), and CPU seconds per second by container. */
  readonly lastScrape: () => { readonly endedAt: number; readonly rate: (containerId: string) => number };
}

/** CPU seconds per second of a process that waits for requests. */
const idleRate = 0.001;

export function createCpuMeter(now: () => number, scrapeSeconds: number): CpuMeter {
  const scrapeMs = 1000 * scrapeSeconds;
  /** Of the last complete interval and of those from then on. */
  const intervals = new Map<number, Map<string, number>>();
  const indexAt = (at: number) => Math.floor(at / scrapeMs);
  const begin = (index: number): Map<string, number> => {
    for (const known of intervals.keys()) if (known < indexAt(now()) - 1) intervals.delete(known);
    const spent = new Map<string, number>();
    intervals.set(index, spent);
    return spent;
  };
  const add = (index: number, containerId: string, seconds: number): void => {
    const spent = intervals.get(index) ?? begin(index);
    spent.set(containerId, (spent.get(containerId) ?? 0) + seconds);
  };
  return {
    spend: (containerId, seconds, { from, to } = { from: now(), to: now() }) => {
      const [first, last] = [indexAt(from), indexAt(to)];
      if (first === last) return add(first, containerId, seconds);
      for (let index = first; index <= last; index += 1) {
        const inside = Math.min(to, (index + 1) * scrapeMs) - Math.max(from, index * scrapeMs);
        add(index, containerId, (seconds * inside) / (to - from));
      }
    },
    lastScrape: () => {
      const index = indexAt(now()) - 1;
      const spent = intervals.get(index);
      const rate = (containerId: string) => idleRate + (spent?.get(containerId) ?? 0) / scrapeSeconds;
      return { endedAt: (index + 1) * scrapeMs, rate };
    },
  };
}
