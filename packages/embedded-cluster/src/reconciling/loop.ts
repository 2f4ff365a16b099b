import { ApiError } from '../kubernetes/cluster.ts';
import type { Controller, Site } from '../setup/site.ts';
import type { DelayName } from '../time/delays.ts';

/** A controller that runs once in a period instead of at each change. */
export interface Loop {
  readonly name: string;
  readonly period: DelayName;
  /** May return a delay that is shorter than the period until its next pass. */
  readonly pass: (site: Site) => Promise<DelayName | undefined>;
}

/**
 * The first pass starts at a random moment of the first period, each later one a period after the end of the one
 * before, or sooner if that said so.
 */
export function loop({ name, period, pass }: Loop): Controller {
  return {
    name,
    run: (site, signal) => {
      const round = async () => {
        if (signal.aborted) return;
        const next = site.running() ? await pass(site).catch(refused) : undefined;
        site.after(site.delay(next ?? period), begin);
      };
      const begin = () => void round().catch(site.failed);
      site.after(site.delay(period) * site.random(), begin);
    },
  };
}

/** What the API refuses is tried again in the next pass. */
function refused(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}
