/** What processes have spent of their machines' processors, scrape by scrape. */
export interface CpuMeter {
  /** A process did so many seconds of work now. */
  readonly spend: (containerId: string, seconds: number) => void;
  /** The last scrape that is over: when it ended, epoch milliseconds, and how many seconds of work each second held. */
  readonly lastScrape: () => { readonly endedAt: number; readonly rate: (containerId: string) => number };
}

/** A process that waits for requests. */
const idleRate = 0.001;

export function createCpuMeter(now: () => number, scrapeSeconds: number): CpuMeter {
  const scrapeMs = 1000 * scrapeSeconds;
  let current = { index: Math.floor(now() / scrapeMs), spent: new Map<string, number>() };
  let last = { index: current.index - 1, spent: new Map<string, number>() };
  const turn = (): void => {
    const index = Math.floor(now() / scrapeMs);
    if (index === current.index) return;
    last = index === current.index + 1 ? current : { index: index - 1, spent: new Map() };
    current = { index, spent: new Map() };
  };
  return {
    spend: (containerId, seconds) => {
      turn();
      current.spent.set(containerId, (current.spent.get(containerId) ?? 0) + seconds);
    },
    lastScrape: () => {
      turn();
      const { index, spent } = last;
      const rate = (containerId: string) => idleRate + (spent.get(containerId) ?? 0) / scrapeSeconds;
      return { endedAt: (index + 1) * scrapeMs, rate };
    },
  };
}
