import { troubles } from '../report/verdict.ts';
import type { Finding } from '../validation/finding.ts';
import { judgeApplications } from '../validation/judge/judge-applications.ts';
import { viewOf } from '../validation/judge/read-run.ts';
import type { Criterion, RunResult } from '../validation/judge/run-result.ts';
import type { VantageLog } from '../validation/judge/vantage-log-view.ts';
import type { ValidationFact } from '../validation/record/events.ts';
import type { Evidence } from './evidence.ts';

/** The run as judged at one moment. */
export interface Judgement {
  /** Epoch milliseconds. */
  readonly at: number;
  /** How many facts the journal had, which identifies the judgement when the journal has grown. */
  readonly factCount: number;
  readonly result: RunResult;
}
/** The part of a judgement that a page shows. */
export interface JudgedMoment {
  readonly at: number;
  readonly criteria: readonly Criterion[];
  /** Errors, then warnings. */
  readonly findings: readonly Finding[];
}

/**
 * The run as the report judges it, at each moment that may change the result: a check with an error, the application
 * verified, the end of a scenario, the end of the run, and what came after it. All `known` judgements but the last are
 * reused.
 */
export function judgements(evidence: Evidence, known: readonly Judgement[] = []): readonly Judgement[] {
  const kept = new Map(known.slice(0, -1).map((judgement) => [judgement.factCount, judgement]));
  return momentsOf(evidence.facts).flatMap((factCount) => kept.get(factCount) ?? judgementOf(evidence, factCount));
}

export function judgedMoment({ at, result }: Judgement): JudgedMoment {
  // Every run is unfinished until it ends.
  const findings = troubles(result).filter(({ id }) => id !== 'unfinished');
  return { at, criteria: result.criteria, findings: findings.slice(0, mostFindings) };
}

/** A flapping application has thousands of the same. */
const mostFindings = 50;

/** The moments, as numbers of facts. */
function momentsOf(facts: readonly ValidationFact[]): readonly number[] {
  const counts = facts.flatMap((fact, index) => (isJudged(fact) ? [index + 1] : []));
  const isOver = facts.some(({ type }) => type === 'run-finished');
  // `recover` appends to the journal after the end.
  return isOver && counts.at(-1) !== facts.length ? [...counts, facts.length] : counts;
}

function isJudged(fact: ValidationFact): boolean {
  if (fact.type === 'check-finished') return fact.finding.severity === 'error';
  return ends.has(fact.type);
}

const ends = new Set<ValidationFact['type']>([
  'application-verified',
  'scenario-finished',
  'run-interrupted',
  'run-aborted',
  'run-failed',
  'run-finished',
]);

function judgementOf({ facts: all, logs, rule, applications }: Evidence, factCount: number): readonly Judgement[] {
  const facts = all.slice(0, factCount);
  const at = Date.parse(facts.at(-1)?.at ?? '');
  const logsOf = (url: string | undefined) =>
    url === undefined ? logs : (applications.find((one) => one.url === url)?.logs ?? []);
  const result = judgeApplications(facts, (url) => viewOf(logsOf(url).map(untilThen(at)), rule));
  return result === undefined ? [] : [{ at, factCount, result }];
}

const untilThen =
  (then: number) =>
  (one: VantageLog): VantageLog => ({
    ...one,
    log: { ...one.log, ticks: one.log.ticks.filter(({ at }) => at <= then) },
  });
