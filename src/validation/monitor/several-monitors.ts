import { OperationError } from '../../host/errors.ts';
import type { VantageRule } from '../downtime/vantage-rule.ts';
import type { Monitor } from './monitor.ts';

/**
 * Several monitors as one, a vantage point each. All have to be fresh before the first action; later one that falls
 * silent is blind, and the others go on: the run ends when the last of them has ended. `isOneTarget`: of each the first
 * address counts as that of the application.
 */
export function severalMonitors(all: readonly Monitor[], rule: VantageRule, isOneTarget = true): Monitor {
  const ended = new Set<Monitor>();
  for (const one of all) one.finished.catch(() => {}).finally(() => ended.add(one));
  const going = () =>
    orAll(
      all.filter((one) => !ended.has(one)),
      all,
    );
  const seeing = () =>
    orAll(
      going().filter((one) => !one.isBlind()),
      going(),
    );
  let begun = false;
  return {
    goodInARow: (sinceAt, url) =>
      byRule(
        rule,
        seeing().map((one) => one.goodInARow(sinceAt, url)),
      ),
    isBlind: () => going().every((one) => one.isBlind()),
    target: () => all[0]?.target(),
    intervalSeconds: () => Math.max(...all.map((one) => one.intervalSeconds())),
    writtenUntil: (at) => anyOf(seeing(), (one) => one.writtenUntil(at)),
    edges: (wanted) => {
      for (const one of all) one.edges(wanted);
    },
    forbidEdges: (reason) => {
      for (const one of all) one.forbidEdges(reason);
    },
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
      if (begun) return anyOf(seeing(), (one) => one.readyToAct(signal));
      await Promise.all(all.map((one) => one.readyToAct(signal)));
      if (isOneTarget) requireOneTarget(all);
      begun = true;
    },
    finished: Promise.allSettled(all.map((one) => one.finished)).then(rejectIfAllDid),
  };
}

/** Samples of different addresses cannot be merged; a curl loop's log names no address. */
function requireOneTarget(all: readonly Monitor[]): void {
  const targets = new Set(all.flatMap((one) => one.target() ?? []).map((url) => URL.parse(url)?.href ?? url));
  if (targets.size <= 1) return;
  throw new OperationError({
    tried: 'Merging the vantage points',
    on: 'their downtime logs',
    reason: `they watch different addresses first: ${[...targets].join(', ')}`,
    next: 'Let each monitor watch the address of the application; --resolve of monitor reaches it in another way',
  });
}

const orAll = (some: readonly Monitor[], all: readonly Monitor[]): readonly Monitor[] => (some.length > 0 ? some : all);

/**
 * The row of the prober that decides: with `any` the shortest, with `all` the longest, with `most` the one in the
 * middle.
 */
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
