import type { Bounded } from '../figures/figures.js';
import type { Finding } from '../validation/finding.ts';
import { changeOfSeconds, comparedWith, seededResult, worstChange } from '../validation/judge/against.ts';
import type { Change, Criterion, RunResult, ScenarioResult, Verdict } from '../validation/judge/run-result.ts';
import { type ShownPart, shownPart } from '../validation/window-downtime.ts';
import { troubles } from './verdict.ts';

/** Two validations side by side: `report RUN --against OTHER --json`. */
export interface Comparison {
  readonly schemaVersion: 1;
  readonly before: ComparedRun;
  readonly after: ComparedRun;
  /** Worse if anything is worse, else better if anything is better. */
  readonly change: Change;
  /** What was not the same about the two runs themselves, a sentence each. */
  readonly differences: readonly string[];
  /** Those that one of the two has tested. */
  readonly scenarios: readonly ComparedScenario[];
  readonly criteria: readonly ComparedCriterion[];
  /** Errors and warnings that only one of the two has. */
  readonly findings: { readonly new: readonly Finding[]; readonly gone: readonly Finding[] };
}
export interface ComparedRun {
  readonly id: string;
  readonly cluster: string;
  readonly startedAt: string;
  readonly tool: string;
  readonly verdict: Verdict;
  readonly partial: boolean;
}
export interface ComparedScenario extends Sides<ScenarioResult['verdict']> {
  readonly name: string;
  readonly title: string;
  /** Further times have a change of their own, which decides nothing: visitors did not notice it. */
  readonly figures: readonly ComparedFigure[];
}
/** A downtime has the span, too, which is compared. */
export type ComparedTime = Bounded & Partial<ShownPart>;
export interface ComparedFigure extends Sides<ComparedTime | null> {
  readonly name: 'downtime' | 'nodeReplacement' | 'podReady';
}
export interface ComparedCriterion extends Sides<Criterion['outcome']> {
  readonly number: Criterion['number'];
  readonly text: string;
}
interface Sides<T> {
  readonly before: T;
  readonly after: T;
  readonly change: Change;
}

/**
 * What became better or worse from one run to the other: a verdict or an outcome, or a time that is longer or shorter
 * than the bounds of both allow. What one of the two has not tested or not measured is no change.
 */
export function comparison(before: RunResult, after: RunResult): Comparison {
  const compared = comparedWith({ before: [seededResult(0, before)], after: [seededResult(0, after)] });
  const scenarios = after.scenarios.flatMap((is) => {
    const was = before.scenarios.find(({ name }) => name === is.name);
    const change = compared.scenarios.find(({ name }) => name === is.name)?.change ?? 'same';
    if (was === undefined || [was, is].every(({ verdict }) => verdict === 'not-tested')) return [];
    return [comparedScenario(was, is, change)];
  });
  const criteria = compared.criteria.map((one) => ({
    ...one,
    text: after.criteria.find(({ number }) => number === one.number)?.text ?? '',
  }));
  return {
    schemaVersion: 1,
    before: comparedRun(before),
    after: comparedRun(after),
    change: worstChange([...scenarios, ...criteria].map(({ change }) => change)),
    differences: differences(before, after),
    scenarios,
    criteria,
    findings: { new: only(after, before), gone: only(before, after) },
  };
}

function comparedScenario(was: ScenarioResult, is: ScenarioResult, change: Change): ComparedScenario {
  const { name, title, verdict } = is;
  const figures = (['downtime', 'nodeReplacement', 'podReady'] as const).flatMap((figure) => {
    const [before, after] = [was, is].map((one) => figureOf(one, figure)) as [ComparedTime | null, ComparedTime | null];
    if (before === null && after === null) return [];
    return [{ name: figure, before, after, change: changeOfFigure(before, after) }];
  });
  return { name, title, before: was.verdict, after: verdict, change, figures };
}

function figureOf(scenario: ScenarioResult, name: ComparedFigure['name']): ComparedTime | null {
  if (name === 'downtime') return scenario.downtime && shownPart(scenario.downtime);
  const time = scenario[name];
  return time && { seconds: time.seconds, lowerSeconds: time.lowerSeconds, upperSeconds: time.upperSeconds };
}

const changeOfFigure = (before: ComparedTime | null, after: ComparedTime | null): Change =>
  before === null || after === null ? 'same' : changeOfSeconds(before.span ?? before, after.span ?? after);

const comparedRun = ({ run, tool, verdict, partial }: RunResult): ComparedRun => ({
  id: run.id,
  cluster: run.cluster,
  startedAt: run.startedAt,
  tool: `${tool.name} ${tool.version}`,
  verdict,
  partial,
});

/** Because these differ, a change may come from them. */
function differences(before: RunResult, after: RunResult): readonly string[] {
  const [was, is] = [before, after].map(asked);
  return Object.keys(is ?? {}).flatMap((name) =>
    was?.[name] === is?.[name] ? [] : [`${name}: ${was?.[name] ?? 'none'} before, ${is?.[name] ?? 'none'} after`],
  );
}

function asked({ run, tool, probe, scenarios }: RunResult): Readonly<Record<string, string>> {
  const tested = scenarios.filter(({ verdict }) => verdict !== 'not-tested').map(({ name }) => name);
  return {
    cluster: run.cluster,
    'probe every': probe === undefined ? 'not known' : `${probe.intervalSeconds} s`,
    'scenarios tested': `${tested.length === scenarios.length ? 'all' : tested.join(', ') || 'none'}`,
    version: tool.version,
  };
}

const keyOf = ({ id, subject }: Finding): string => JSON.stringify([id, subject]);

/** A flapping application has the same finding many times: it counts once. */
function only(those: RunResult, others: RunResult): readonly Finding[] {
  const known = new Set(troubles(others).map(keyOf));
  return troubles(those).filter((finding) => {
    const isNew = !known.has(keyOf(finding));
    known.add(keyOf(finding));
    return isNew;
  });
}
