import { readableDuration } from '../../figures/figures.js';
import { OperationError } from '../../host/errors.ts';
import type { Host } from '../../host/host.ts';
import type { DeploymentSettings } from '../settings/settings.ts';

/** What visitors got during a deploy: `probe` of `deploy --json` (docs/contract.md). */
export interface ProbeDocument {
  readonly requests: number;
  readonly failed: number;
  readonly slow: number;
  /** Pages of old and new code together, where the settings have a pattern for versions. */
  readonly torn: number;
  /** The longest time between two good answers with a bad one in between; 0 where none was bad. */
  readonly longestGapSeconds: number;
}

/** One request of a visitor. */
export interface Visit {
  /** Monotonic seconds. */
  readonly at: number;
  readonly good: boolean;
  readonly seconds: number;
  readonly torn: boolean;
}

export interface Visitors {
  /** Waits for the requests under way, and returns the result of all. */
  leave(): Promise<ProbeDocument>;
}

/**
 * Requests a page at the rate of the settings until `leave`, each request on schedule however long others take;
 * undefined where no rate is set.
 */
export function visit(
  host: Pick<Host, 'probe' | 'http' | 'clock'>,
  settings: DeploymentSettings,
  visited: (visit: Visit) => void = () => {},
): Visitors | undefined {
  const { rate, slow } = settings.monitor;
  const url = settings.monitor.url ?? settings.healthUrls[0];
  if (rate === undefined || url === undefined) return undefined;
  const leaving = new AbortController();
  const visits: Promise<Visit>[] = [];
  const ended = (async () => {
    const startedAt = host.clock.monotonicSeconds();
    for (let number = 0; !leaving.signal.aborted; number++) {
      visits.push(
        visitOnce(host, url, settings.monitor).then((one) => {
          visited(one);
          return one;
        }),
      );
      const due = startedAt + (number + 1) / rate - host.clock.monotonicSeconds();
      await host.clock.sleep(Math.max(0, due), leaving.signal).catch(() => undefined);
    }
  })();
  return {
    async leave() {
      leaving.abort(new Error('the deploy has ended'));
      await ended;
      return summary(await Promise.all(visits), slow);
    },
  };
}

/** The result of these visits, given in the order of their starts. */
export function summary(visits: readonly Visit[], slowSeconds: number): ProbeDocument {
  const failed = visits.filter(({ good }) => !good).length;
  return {
    requests: visits.length,
    failed,
    slow: visits.filter(({ seconds }) => seconds > slowSeconds).length,
    torn: visits.filter(({ torn }) => torn).length,
    longestGapSeconds: failed === 0 ? 0 : longestGap(visits),
  };
}

function longestGap(visits: readonly Visit[]): number {
  let [longest, lastGoodAt, bad] = [0, visits[0]?.at ?? 0, false];
  for (const { at, good } of visits) {
    if (bad) longest = Math.max(longest, at - lastGoodAt);
    if (good) lastGoodAt = at;
    bad = !good;
  }
  return Math.max(longest, bad ? (visits.at(-1)?.at ?? 0) - lastGoodAt : 0);
}

async function visitOnce(
  host: Pick<Host, 'probe' | 'http' | 'clock'>,
  url: string,
  { timeout, torn }: DeploymentSettings['monitor'],
): Promise<Visit> {
  const at = host.clock.monotonicSeconds();
  if (torn !== undefined) return readPage(host, url, at, timeout, torn);
  const { status, seconds, error } = await host.probe({ url }, 'new', timeout);
  return { at, good: status === 200 && error === undefined, seconds, torn: false };
}

/** A page is torn when the pattern finds more than one version in it. */
async function readPage(
  host: Pick<Host, 'http' | 'clock'>,
  url: string,
  at: number,
  timeoutSeconds: number,
  pattern: RegExp,
): Promise<Visit> {
  const seconds = () => host.clock.monotonicSeconds() - at;
  try {
    const response = await host.http({ method: 'GET', url, timeoutSeconds });
    const versions = [...(await response.text()).matchAll(pattern)].map((found) => found[1] ?? found[0]);
    return { at, good: response.status === 200, seconds: seconds(), torn: new Set(versions).size > 1 };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { at, good: false, seconds: seconds(), torn: false };
  }
}

/** One line for the log and for a mail. */
export function probeSentence(probe: ProbeDocument): string {
  return `Visitors during the deploy: ${probePhrase(probe)}`;
}

/** The same within a sentence. */
export function probePhrase({ requests, failed, slow, torn, longestGapSeconds }: ProbeDocument): string {
  const gap = failed === 0 ? '' : `, longest gap ${readableDuration(longestGapSeconds)}`;
  return `${requests} requests, ${failed} failed, ${slow} slow, ${torn} torn${gap}`;
}
