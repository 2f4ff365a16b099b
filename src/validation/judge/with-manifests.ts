import type { Expectation, Finding, ManifestPlace } from '../finding.ts';
import type { ValidationFact } from '../record/events.ts';
import { ofType } from '../record/records.ts';
import { comparedAll } from './against.ts';
import { placeOfFinding } from './finding-places.ts';
import type { RunResult } from './run-result.ts';
import { withApplications } from './with-applications.ts';

/** Adds the applications, the places of the findings and the assumptions to the result of a rehearsal with `-f`. */
export function withManifests(result: RunResult, facts: readonly ValidationFact[]): RunResult {
  const [rehearsed] = ofType(facts, 'manifests-rehearsed');
  if (rehearsed === undefined) return result;
  const at = placesIn(facts);
  const isAssumed = result.run.kind === 'rehearsal' && rehearsed.places['node-requirements'] === undefined;
  const own = {
    ...result,
    ...againstOf(facts),
    ...frontDoorsOf(facts),
    assumptions: ofType(facts, 'assumption-judged').map(({ assumption }) => assumption),
    ...(result.run.kind === 'rehearsal' && { notRehearsed: rehearsed.notRehearsed ?? [] }),
    findings: result.findings
      .filter(({ id }) => !(isAssumed && ofPool.includes(id)))
      .map((finding) => withPlace({ ...finding, at: finding.at === undefined ? (at?.(finding) ?? null) : finding.at })),
    scenarios: result.scenarios.map((scenario) => ({ ...scenario, findings: scenario.findings.map(withPlace) })),
  };
  return withApplications(own, rehearsed.applications, ofType(facts, 'application-rehearsed'));
}

/** What the checks found, at the fields of the manifests that may be why where a check says so. */
export function checkFindings(facts: readonly ValidationFact[]): readonly Finding[] {
  const placeOf = placesIn(facts);
  // A finding of the pre-check that phase 3 makes again is reported once.
  return distinctChecks(facts).map(({ finding: { rules, ...finding } }) => {
    if (placeOf === undefined || (rules === undefined && finding.because === undefined)) return finding;
    return { ...finding, at: placeOf({ ...finding, ...(rules && { rules }) }) };
  });
}

function distinctChecks(facts: readonly ValidationFact[]) {
  const checks = ofType(facts, 'check-finished');
  const keyOf = ({ finding }: (typeof checks)[number]) => JSON.stringify(finding);
  return [...new Map(checks.map((check) => [keyOf(check), check])).values()];
}

/**
 * Findings about the nodes' pool: manifests without a NodePool have no field to change, because the rehearsal assumes
 * the pool.
 */
const ofPool: readonly string[] = ['placement', 'expiry-expectation', 'pool-field'];

/** What is predicted of a scenario is added after it was judged. */
function withPlace({ at = null, because, ...finding }: Finding): Finding {
  return { ...finding, ...(because && { because: { ...because, at } }), at };
}

function frontDoorsOf(facts: readonly ValidationFact[]): Pick<RunResult, 'frontDoors'> {
  const all = ofType(facts, 'front-door-rehearsed').map(({ at: _, type: __, ...door }) => door);
  return all.length === 0 ? {} : { frontDoors: all };
}

function againstOf(facts: readonly ValidationFact[]): Pick<RunResult, 'against'> {
  const against = comparedAll(ofType(facts, 'rehearsed-against'));
  return against === undefined ? {} : { against };
}

export type PlaceOf = (found: Pick<Expectation, 'id' | 'rules' | 'because'>, scenario?: string) => ManifestPlace | null;

/** The fields of the manifests that the findings of a run with `-f` refer to; undefined for any other run. */
export function placesIn(facts: readonly ValidationFact[]): PlaceOf | undefined {
  const [rehearsed] = ofType(facts, 'manifests-rehearsed');
  if (rehearsed === undefined) return undefined;
  const audited = ofType(facts, 'check-finished').map(({ finding }) => finding);
  const faulted = new Set(audited.filter(({ severity }) => severity !== 'info').map(({ id }) => id));
  return (found, scenario) => placeOfFinding(found, scenario, rehearsed.places, faulted);
}
