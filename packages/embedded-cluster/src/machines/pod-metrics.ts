import type { CpuMeter } from './cpu-meter.ts';
import type { Machines } from './machines.ts';

/** The CPU that a pod's containers used on average in the last complete interval between two scrapes. */
export interface PodUsage {
  /** The end of the interval, epoch milliseconds. */
  readonly endedAt: number;
  readonly windowSeconds: number;
  readonly containers: readonly { readonly name: string; readonly cores: number }[];
}

export interface UsageSources {
  readonly machines: Pick<Machines, 'containersOf'>;
  readonly meter: CpuMeter;
  readonly scrapeSeconds: number;
}

/**
 * Undefined for a pod (`namespace/name`) that did not run through the whole interval, because usage is the difference
 * between two scrapes.
 */
export function podUsage({ machines, meter, scrapeSeconds }: UsageSources, podKey: string): PodUsage | undefined {
  const { endedAt, rate } = meter.lastScrape();
  const measured = machines
    .containersOf(podKey)
    .filter(
      ({ startsAt, exitsAt }) =>
        startsAt <= endedAt - 1000 * scrapeSeconds && (exitsAt ?? Number.POSITIVE_INFINITY) > endedAt,
    );
  if (measured.length === 0) return undefined;
  const containers = measured.map(({ id, name }) => ({ name, cores: rate(id) }));
  return { endedAt, windowSeconds: scrapeSeconds, containers };
}
