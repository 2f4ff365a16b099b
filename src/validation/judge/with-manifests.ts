import type { Finding } from '../finding.ts';
import type { ManifestsRehearsed, ValidationFact } from '../record/events.ts';
import { ofType } from '../record/records.ts';
import { comparedAll } from './against.ts';
import { placeOfFinding } from './finding-places.ts';
import type { RunResult, ScenarioResult } from './run-result.ts';
import { withApplications } from './with-applications.ts';

/** Adds to the result of a rehearsal of somebody's own manifests the applications, the places of the findings, and the assumptions. */
export function withManifests(result: RunResult, facts: readonly ValidationFact[]): RunResult {
  const [rehearsed] = ofType(facts, 'manifests-rehearsed');
  if (rehearsed === undefined) return result;
  const at = placer(rehearsed, result.findings);
  const own = {
    ...result,
    ...againstOf(facts),
    assumptions: ofType(facts, 'assumption-judged').map(({ assumption }) => assumption),
    findings: result.findings.map(at(undefined)),
    scenarios: result.scenarios.map((scenario) => ({ ...scenario, findings: scenario.findings.map(at(scenario)) })),
  };
  return withApplications(own, rehearsed.applications, ofType(facts, 'application-rehearsed'));
}

function againstOf(facts: readonly ValidationFact[]): Pick<RunResult, 'against'> {
  const against = comparedAll(ofType(facts, 'rehearsed-against'));
  return against === undefined ? {} : { against };
}

function placer({ places }: ManifestsRehearsed, audited: readonly Finding[]) {
  const faulted = new Set(audited.filter(({ severity }) => severity !== 'info').map(({ id }) => id));
  return (scenario: ScenarioResult | undefined) =>
    (finding: Finding): Finding => ({ ...finding, at: placeOfFinding(finding, scenario?.name, places, faulted) });
}
