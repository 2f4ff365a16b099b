import type { Finding } from '../finding.ts';
import type { ValidationFact } from '../record/events.ts';
import { ofType } from '../record/records.ts';
import type { RunResult, ScenarioResult, Verdict } from './run-result.ts';

type Judged = Pick<RunResult, 'criteria' | 'scenarios' | 'findings' | 'undo'>;

/**
 * The verdict of a run: error if an action could not be undone or the run failed, fail if an expectation is not met,
 * inconclusive if one is open.
 */
export function verdictOf(judged: Judged, facts: readonly ValidationFact[], partial: boolean): Verdict {
  if (judged.undo.some(({ state }) => state === 'failed') || has(facts, 'run-failed')) return 'error';
  if (has(facts, 'run-aborted') || isAgainst(judged, facts)) return 'fail';
  return isOpen(judged, partial) ? 'inconclusive' : 'pass';
}

const has = (facts: readonly ValidationFact[], wanted: ValidationFact['type']): boolean =>
  facts.some(({ type }) => type === wanted);

function isAgainst({ criteria, scenarios, findings }: Judged, facts: readonly ValidationFact[]): boolean {
  const verified = ofType(facts, 'application-verified').flatMap(({ expectations }) => expectations);
  return (
    [...criteria, ...verified].some(({ outcome }) => outcome === 'not-met') ||
    scenarios.some(({ verdict }) => verdict === 'fail') ||
    findings.some(isWrongNode)
  );
}

function isOpen({ criteria, scenarios, findings }: Judged, partial: boolean): boolean {
  const outcomes: readonly string[] = [
    ...criteria.filter(({ notApplicable }) => notApplicable === undefined).map(({ outcome }) => outcome),
    ...scenarios.filter(({ notApplicable }) => notApplicable === undefined).map(({ verdict }) => verdict),
  ];
  const untested = outcomes.includes('not-tested') && !partial;
  return untested || outcomes.includes('inconclusive') || findings.some(isOpenQuestion) || !scenarios.some(wasTested);
}

/** With a node that misses the requirements of 2.2, the pool is not the one to be validated. */
const isWrongNode = ({ id, severity }: Finding): boolean => id === 'node-requirements' && severity === 'error';
/** Findings that make a run inconclusive even if all scenarios pass. */
export const isOpenQuestion = ({ id }: Finding): boolean =>
  ['background-outage', 'interrupted', 'unfinished', 'damaged-journal'].includes(id);
const wasTested = ({ verdict }: ScenarioResult): boolean => verdict !== 'not-tested';
