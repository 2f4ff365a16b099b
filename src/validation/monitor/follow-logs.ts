import type { Host } from '../../host/host.ts';
import type { VantageRule } from '../downtime/vantage-rule.ts';
import { followLog } from './follow-log.ts';
import type { Monitor, OnProbe } from './monitor.ts';

/** A log to follow, and where its copy goes. */
export interface FollowedSource {
  readonly source: string;
  readonly copy: string;
  readonly onProbe: OnProbe;
  readonly onClockSet: (seconds: number) => void;
}

/**
 * Follows the logs of several monitors, one vantage point each. All have to be fresh before the first action; later one that falls silent is blind, and the others go on: the run
 * ends when the last of them has ended.
 */
export async function followLogs(host: Host, sources: readonly FollowedSource[], rule: VantageRule): Promise<Monitor> {
  const all: Monitor[] = [];
  for (const { source, copy, onProbe, onClockSet } of sources)
    all.push(await followLog(host, source, copy, onProbe, onClockSet));
  const ended = new Set<Monitor>();
  for (const one of all) one.finished.catch(() => {}).finally(() => ended.add(one));
  const going = () => all.filter((one) => !ended.has(one));
  let begun = false;
  return {
    goodInARow: (sinceAt) =>
      byRule(
        rule,
        (ended.size < all.length ? going() : all).map((one) => one.goodInARow(sinceAt)),
      ),
    intervalSeconds: () => Math.max(...all.map((one) => one.intervalSeconds())),
    writtenUntil: (at) => anyOf(going(), (one) => one.writtenUntil(at)),
    edges: () => {},
    forbidEdges: () => {},
    stop: async () => {
      await anyOf(all, (one) => one.stop());
    },
    abandon: () => {
      for (const one of all) one.abandon();
    },
    note: (fact) => {
      for (const one of going()) one.note(fact);
    },
    readyToAct: async (signal) => {
      if (begun) return anyOf(going(), (one) => one.readyToAct(signal));
      await Promise.all(all.map((one) => one.readyToAct(signal)));
      begun = true;
    },
    finished: Promise.allSettled(all.map((one) => one.finished)).then(rejectIfAllDid),
  };
}

/** The row of the prober that decides: with `any` the shortest, with `all` the longest, with `most` the one in the middle. */
function byRule(rule: VantageRule, rows: readonly number[]): number {
  const sorted = rows.toSorted((a, b) => a - b);
  const index = { any: 0, most: Math.ceil(sorted.length / 2) - 1, all: sorted.length - 1 }[rule];
  return sorted[index] ?? 0;
}

/** Done when all have settled; rejects only if none of them did it. */
async function anyOf(all: readonly Monitor[], deed: (one: Monitor) => Promise<void>): Promise<void> {
  rejectIfAllDid(await Promise.allSettled(all.map(deed)));
}

function rejectIfAllDid(outcomes: readonly PromiseSettledResult<void>[]): void {
  const [first] = outcomes;
  if (first?.status === 'rejected' && outcomes.every(({ status }) => status === 'rejected')) throw first.reason;
}
