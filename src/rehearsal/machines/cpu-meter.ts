/** CPU time of processes, by interval between two scrapes. */
export interface CpuMeter {
  /** Adds CPU seconds of a container to the current interval. */
  readonly spend: (containerId: string, seconds: number) => void;
  /** The last complete interval: its end (epoch milliseconds), and CPU seconds per second by container. */
  readonly lastScrape: () => { readonly endedAt: number; readonly rate: (containerId: string) => number };
}

/** CPU seconds per second of a process that waits for requests. */
const idleRate = 0.001;

export function createCpuMeter(now: () => number, scrapeSeconds: number): CpuMeter {
  const scrapeMs = 1000 * scrapeSeconds;
  let current = { index: Math.floor(now() / scrapeMs), spent: new Map<string, number>() };
  let last = { index: current.index - 1, spent: new Map<string, number>() };
  const rotate = (): void => {
    const index = Math.floor(now() / scrapeMs);
    if (index === current.index) return;
    last = index === current.index + 1 ? current : { index: index - 1, spent: new Map() };
    current = { index, spent: new Map() };
  };
  return {
    spend: (containerId, seconds) => {
      rotate();
      current.spent.set(containerId, (current.spent.get(containerId) ?? 0) + seconds);
    },
    lastScrape: () => {
      rotate();
      const { index, spent } = last;
      const rate = (containerId: string) => idleRate + (spent.get(containerId) ?? 0) / scrapeSeconds;
      return { endedAt: (index + 1) * scrapeMs, rate };
    },
  };
}
