import type { Finding } from '../finding.ts';
import type { ValidationFact } from '../record/events.ts';
import { ofType } from '../record/records.ts';
import type { RunResult, ScenarioResult, Verdict } from './run-result.ts';

type Judged = Pick<RunResult, 'criteria' | 'scenarios' | 'findings' | 'undo'>;

/** Pure. The verdict of a run: what could not be undone is an error, what speaks against it a failure, what is open inconclusive. */
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
    ...criteria.map(({ outcome }) => outcome),
    ...scenarios.map(({ verdict }) => verdict),
  ];
  const untested = outcomes.includes('not-tested') && !partial;
  return untested || outcomes.includes('inconclusive') || findings.some(isOpenQuestion) || !scenarios.some(wasTested);
}

/** 2.2: a node that is not as required is not the pool that was to be validated. */
const isWrongNode = ({ id, severity }: Finding): boolean => id === 'node-requirements' && severity === 'error';
/** What leaves a run open, whatever its scenarios say. */
export const isOpenQuestion = ({ id }: Finding): boolean =>
  ['background-outage', 'interrupted', 'unfinished', 'damaged-journal'].includes(id);
const wasTested = ({ verdict }: ScenarioResult): boolean => verdict !== 'not-tested';
