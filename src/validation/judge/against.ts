import type { Bounds } from '../../figures/figures.js';
import type { DowntimeBounds, RehearsedAgainst, SeededResult } from '../record/events.ts';
import type {
  Against,
  Change,
  Compared,
  ComparedApplication,
  Criterion,
  RunResult,
  SeededScenario,
} from './run-result.ts';

/** The comparisons of all applications; undefined without one. The whole is as bad as the worst of them. */
export function comparedAll(facts: readonly RehearsedAgainst[]): Against | undefined {
  const [first] = facts;
  if (first === undefined) return undefined;
  const { paths } = first;
  const seeds = [...new Set(facts.flatMap(({ before, after }) => [...after, ...before].map(({ seed }) => seed)))];
  if (first.application === undefined) return { paths, seeds, ...comparedWith(first) };
  const applications = facts.map((fact): ComparedApplication => {
    const { application = '', before, after } = fact;
    const only = after.length === 0 ? ('before' as const) : ('after' as const);
    const isBoth = before.length > 0 && after.length > 0;
    return { application, ...(isBoth ? comparedWith(fact) : { ...nothing, only }) };
  });
  return { paths, seeds, ...together(applications), applications };
}

const nothing: Compared = { change: 'same', scenarios: [], criteria: [] };

function together(all: readonly Compared[]): Compared {
  const change = worstChange(all.map((one) => one.change));
  const worst = <T extends { readonly change: Change }>(rows: readonly T[], key: (row: T) => string | number) =>
    [...Map.groupBy(rows, key).values()].flatMap(
      (those) => those.find((one) => one.change === worstChange(those.map((row) => row.change))) ?? [],
    );
  return {
    change,
    scenarios: worst(
      all.flatMap(({ scenarios }) => scenarios),
      ({ name }) => name,
    ),
    criteria: worst(
      all.flatMap(({ criteria }) => criteria),
      ({ number }) => number,
    ),
  };
}

export const worstChange = (changes: readonly Change[]): Change =>
  (['worse', 'better'] as const).find((one) => changes.includes(one)) ?? 'same';

/**
 * A change is one of the worst verdict or outcome of all seeds, or where that is the same a downtime that is longer or
 * shorter than all of before. The whole is worse if anything is, else better if anything is.
 */
export function comparedWith({ before, after }: Pick<RehearsedAgainst, 'before' | 'after'>): Compared {
  const scenarios = (before[0]?.scenarios ?? []).map(({ name }) => {
    const [was, is] = [scenarioOf(before, name), scenarioOf(after, name)];
    return { name, before: was, after: is, change: changeOf(was, is) };
  });
  const criteria = (before[0]?.criteria ?? []).map(({ number }) => {
    const [was, is] = [outcomeOf(before, number), outcomeOf(after, number)];
    return { number, before: was, after: is, change: byRank(was, is) };
  });
  const change = worstChange([...scenarios, ...criteria].map((one) => one.change));
  return { change, scenarios, criteria };
}

/** The parts of a run that are compared. */
export const seededResult = (seed: number, { scenarios, criteria }: RunResult): SeededResult => ({
  seed,
  scenarios: scenarios.map(({ name, verdict, downtime }) => ({
    name,
    verdict,
    downtime: downtime && boundsOf(downtime),
  })),
  criteria: criteria.map(({ number, outcome }) => ({ number, outcome })),
});

const boundsOf = ({ seconds, lowerSeconds, upperSeconds, span }: DowntimeBounds): DowntimeBounds => ({
  seconds,
  lowerSeconds,
  upperSeconds,
  span,
});

function scenarioOf(results: readonly SeededResult[], name: string): SeededScenario {
  const found = results.flatMap(({ scenarios }) => scenarios.filter((one) => one.name === name));
  const downtimes = found.flatMap(({ downtime }) => (downtime === null ? [] : [downtime]));
  return {
    verdict: worstOf(found.map(({ verdict }) => verdict)),
    downtime: downtimes.length === 0 ? null : { ...around(downtimes), span: around(downtimes.map(({ span }) => span)) },
  };
}

const around = (all: readonly Bounds[]): Bounds => ({
  lowerSeconds: Math.min(...all.map(({ lowerSeconds }) => lowerSeconds)),
  upperSeconds: Math.max(...all.map(({ upperSeconds }) => upperSeconds)),
});

const outcomeOf = (results: readonly SeededResult[], number: Criterion['number']): Criterion['outcome'] =>
  worstOf(results.flatMap(({ criteria }) => criteria.filter((one) => one.number === number)).map((one) => one.outcome));

function changeOf(before: SeededScenario, after: SeededScenario): Change {
  if (before.verdict === 'not-tested' || after.verdict === 'not-tested') return 'same';
  const byVerdict = byRank(before.verdict, after.verdict);
  if (byVerdict !== 'same' || before.downtime === null || after.downtime === null) return byVerdict;
  return changeOfSeconds(before.downtime.span, after.downtime.span);
}

/** Longer is worse, where the bounds of both do not overlap. */
export function changeOfSeconds(before: Bounds, after: Bounds): Change {
  if (after.lowerSeconds > before.upperSeconds) return 'worse';
  return after.upperSeconds < before.lowerSeconds ? 'better' : 'same';
}

const ranks = { fail: 0, 'not-met': 0, inconclusive: 1, pass: 2, met: 2, 'not-tested': 3 } as const;
type Ranked = keyof typeof ranks;

const worstOf = <T extends Ranked>(all: readonly T[]): T | 'not-tested' =>
  all.toSorted((a, b) => ranks[a] - ranks[b])[0] ?? 'not-tested';

/** What was not tested in one of the two cannot be compared. */
function byRank(before: Ranked, after: Ranked): Change {
  if (before === 'not-tested' || after === 'not-tested' || ranks[before] === ranks[after]) return 'same';
  return ranks[after] < ranks[before] ? 'worse' : 'better';
}
