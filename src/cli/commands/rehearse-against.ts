import { applicationName } from '../../validation/applications.ts';
import { seededResult } from '../../validation/judge/against.ts';
import type { RunResult } from '../../validation/judge/run-result.ts';
import type { RehearsedAgainst, SeededResult } from '../../validation/record/events.ts';
import type { OwnRehearsal } from '../cluster/rehearsal-run.ts';
import type { Rehearsals } from '../cluster/rehearsal-thread.ts';
import { rehearsedApplication } from '../manifests/manifests-rehearsed.ts';

/** The rehearsals of all applications of the manifests before a change. */
export interface Before {
  readonly paths: readonly string[];
  readonly orders: readonly OwnRehearsal[];
}

/** One rehearsal may differ by chance: a difference counts only if three seeds of each side show it. */
export const seedsCompared = 3;

/**
 * Rehearses each application with the manifests before the change and with those after it, with the same seeds; `made`
 * is the run itself. Where each has one, they are compared whatever their names; else those of one kind, namespace and
 * name, and one that only one of the two has is recorded without the other's results.
 */
export function rehearsedAgainst(
  { resultOf }: Pick<Rehearsals, 'resultOf'>,
  { orders: before }: Before,
  after: readonly [OwnRehearsal, ...OwnRehearsal[]],
  made: Promise<RunResult>,
): Promise<readonly Omit<RehearsedAgainst, 'at' | 'paths'>[]> {
  const seeds = Array.from({ length: seedsCompared }, (_, more) => after[0].seed + more);
  const resultsOf = async (order: OwnRehearsal | undefined): Promise<readonly SeededResult[]> => {
    const all = (order === undefined ? [] : seeds).map(async (seed) => {
      // The run itself is one of them, where it has no further applications.
      const isMade = order === after[0] && seed === order.seed && order.own.others.length === 0;
      const result = isMade ? await made : order && (await resultOf({ ...order, seed }));
      return result === undefined ? [] : [seededResult(seed, result)];
    });
    return (await Promise.all(all)).flat();
  };
  return Promise.all(
    pairsOf(before, after).map(async (pair) => {
      const [was, is] = await Promise.all([resultsOf(pair.before), resultsOf(pair.after)]);
      const application = pair.application === undefined ? {} : { application: pair.application };
      return { type: 'rehearsed-against' as const, ...application, before: was, after: is };
    }),
  );
}

interface Pair {
  /** Absent where each side has one application. */
  readonly application?: string;
  readonly before: OwnRehearsal | undefined;
  readonly after: OwnRehearsal | undefined;
}

function pairsOf(before: readonly OwnRehearsal[], after: readonly OwnRehearsal[]): readonly Pair[] {
  if (before.length === 1 && after.length === 1) return [{ before: before[0], after: after[0] }];
  const keyOf = ({ own }: OwnRehearsal) =>
    JSON.stringify([own.application.kind, own.application.namespace, own.application.name]);
  const keys = [...new Set([...after, ...before].map(keyOf))];
  const pairs = keys.map((key) => ({
    before: before.find((one) => keyOf(one) === key),
    after: after.find((one) => keyOf(one) === key),
  }));
  const named = pairs.flatMap((pair) => {
    const order = pair.after ?? pair.before;
    return order === undefined ? [] : [{ ...pair, of: rehearsedApplication(order.own) }];
  });
  const all = named.map(({ of }) => of);
  return named.map(({ of, ...pair }) => ({ ...pair, application: applicationName(of, all) }));
}
