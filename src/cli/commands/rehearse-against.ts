import type { Journal } from '../../journal/journal.ts';
import { applicationName } from '../../validation/applications.ts';
import { seededResult } from '../../validation/judge/against.ts';
import type { SeededResult, ValidationFact } from '../../validation/record/events.ts';
import { type OwnRehearsal, resultOf } from '../cluster/rehearsal-run.ts';
import type { Context } from '../command/context.ts';
import { rehearsedApplication } from '../manifests/manifests-rehearsed.ts';

/** The rehearsals of all applications of the manifests before a change. */
export interface Before {
  readonly paths: readonly string[];
  readonly orders: readonly OwnRehearsal[];
}

/** One rehearsal may differ by chance: a difference counts only if three seeds of each side show it. */
export const seedsCompared = 3;

/**
 * Rehearses each application with the manifests before the change and with those after it, with the same seeds, and
 * records both. Where each has one, they are compared whatever their names; else those of one kind, namespace and name,
 * and one that only one of the two has is recorded without the other's results.
 */
export async function recordAgainst(
  context: Context,
  { paths, orders: before }: Before,
  after: readonly [OwnRehearsal, ...OwnRehearsal[]],
  journal: Pick<Journal<ValidationFact>, 'record'>,
): Promise<void> {
  const seeds = Array.from({ length: seedsCompared }, (_, more) => after[0].seed + more);
  const resultsOf = async (order: OwnRehearsal | undefined): Promise<SeededResult[]> => {
    const results: SeededResult[] = [];
    for (const seed of order === undefined ? [] : seeds) {
      context.signal?.throwIfAborted();
      const result = order && (await resultOf(context, { ...order, seed }));
      if (result !== undefined) results.push(seededResult(seed, result));
    }
    return results;
  };
  for (const pair of pairsOf(before, after)) {
    const results = { before: await resultsOf(pair.before), after: await resultsOf(pair.after) };
    const application = pair.application === undefined ? {} : { application: pair.application };
    journal.record({ type: 'rehearsed-against', paths, ...application, ...results });
  }
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
