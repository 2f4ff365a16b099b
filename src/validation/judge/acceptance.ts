import { atMost, besideLimit, edgesText, measuredText } from '../downtime/downtime.ts';
import { type Finding, type Outcome, witnessesApart, worst } from '../finding.ts';
import { scenarios } from '../scenarios/index.ts';
import type { Criterion, Replacement, ScenarioResult } from './run-result.ts';

/** The evidence for the six criteria. */
export interface RunEvidence {
  /** All ten, including those that were not tested. */
  readonly scenarios: readonly ScenarioResult[];
  readonly replacements: readonly Replacement[];
  /** One sentence for each evidence of mass eviction. */
  readonly massEvictions: readonly string[];
  /** Whether nodes, claims and endpoints were watched during the whole run. */
  readonly clusterWatched: boolean;
  /** Whether the run finished. */
  readonly ended: boolean;
  /** How much downtime an instance crash may cause: the specification's 60 s unless the settings have another limit. */
  readonly maximumDowntimeSeconds: number;
}

type Decision = Pick<Criterion, 'outcome' | 'because' | 'notApplicable'>;

/**
 * Section 4.2 of the specification, in its order: the text, and how it is decided (docs/contract.md, "The evidence of a
 * criterion").
 */
const criteria: readonly { readonly text: string; readonly decide: (run: RunEvidence) => Decision }[] = [
  { text: 'No downtime during scaling.', decide: (run) => eachOf(run, 1, noDowntimeDuring) },
  { text: 'No downtime during node drain.', decide: (run) => eachOf(run, 2, noDowntimeDuring) },
  {
    text: 'At most 60 seconds during an instance crash.',
    decide: (run) => eachOf(run, 3, atMostSixtySeconds),
  },
  { text: 'No mass eviction.', decide: noMassEviction },
  {
    text: 'Only one node replaced during maintenance.',
    decide: (run) => eachOf(run, 5, onlyOneNodeReplaced),
  },
  { text: 'No surprise replacement.', decide: noSurpriseReplacement },
];

/** The criteria in the specification's words. */
export const criterionTexts: readonly string[] = criteria.map(({ text }) => text);

/** The six acceptance criteria of 4.2. A criterion without evidence is not tested, never met. */
export function acceptance(run: RunEvidence): readonly Criterion[] {
  return criteria.map(({ text, decide }, index) => ({
    number: (index + 1) as Criterion['number'],
    text,
    ...decide(run),
  }));
}

/** The combined decision of the scenarios that decide this criterion, without those that have nothing to disturb. */
function eachOf(
  run: RunEvidence,
  criterion: Criterion['number'],
  decide: (run: RunEvidence, name: string) => Decision,
): Decision {
  const deciding = scenarios.filter((scenario) => scenario.criterion === criterion).map(({ name }) => name);
  const applicable = deciding.filter((name) => find(run, name)?.notApplicable === undefined);
  if (applicable.length > 0) return combine(applicable.map((name) => decide(run, name)));
  const because = `nothing to test it: ${find(run, deciding[0] ?? '')?.notApplicable}`;
  return { outcome: 'not-tested', because, notApplicable: because };
}

function noDowntimeDuring(run: RunEvidence, name: string): Decision {
  const scenario = find(run, name);
  if (scenario === undefined || scenario.verdict === 'not-tested') return notTested(name);
  if (scenario.downtime === null) return blockedBy(scenario) ?? notMeasured(scenario);
  const { bad, unknown, samples, edges } = scenario.downtime;
  const blocked = blockedBy(scenario);
  if (bad > 0) return { outcome: 'not-met', because: `${name}: ${measuredText(scenario.downtime)}` };
  if (blocked !== undefined) return blocked;
  if (edges !== undefined && edges.bad > 0)
    return { outcome: 'inconclusive', because: `${name}: no bad sample of ${samples}, but ${edgesText(edges)}` };
  if (isOpen(scenario) || unknown > 0 || samples === 0)
    return { outcome: 'inconclusive', because: `${name}: ${reasonOf(scenario)}` };
  return { outcome: 'met', because: `${name}: no bad sample of ${samples}` };
}

/** Downtime decides, by its upper bound; node and pod times are only reported. */
function atMostSixtySeconds(run: RunEvidence, name: string): Decision {
  const scenario = find(run, name);
  if (scenario === undefined || scenario.verdict === 'not-tested') return notTested(name);
  if (scenario.downtime === null) return notMeasured(scenario);
  const { maximumDowntimeSeconds: limit } = run;
  const allowed = limit === specifiedSeconds ? '' : `, and ${limit} s are allowed by the settings`;
  const measured = `${name}: ${besideLimit(scenario.downtime, limit)}${allowed}`;
  const outcome = atMost(scenario.downtime, limit);
  if (outcome === 'not-met') return { outcome, because: measured };
  if (isOpen(scenario) || outcome === 'inconclusive')
    return { outcome: 'inconclusive', because: `${measured}; ${reasonOf(scenario)}` };
  return { outcome: 'met', because: measured };
}

/** The limit in the criterion's text. */
const specifiedSeconds = 60;

function noMassEviction(run: RunEvidence): Decision {
  if (run.massEvictions.length > 0) return { outcome: 'not-met', because: run.massEvictions.join('; ') };
  return wholeRun(run, 'never more nodes at once than the budget allows, nor ready endpoints under minAvailable');
}

function onlyOneNodeReplaced(run: RunEvidence, name: string): Decision {
  const scenario = find(run, name);
  if (scenario === undefined || scenario.verdict === 'not-tested') return notTested(name);
  if (scenario.nodesReplaced === null || scenario.maxConcurrentDisruptions === null)
    return blockedBy(scenario) ?? notMeasured(scenario);
  const { nodesReplaced, maxConcurrentDisruptions } = scenario;
  const because = `${name}: ${nodesReplaced} replaced, at most ${maxConcurrentDisruptions} at once`;
  if (nodesReplaced > 1 || maxConcurrentDisruptions > 1) return { outcome: 'not-met', because };
  const blocked = blockedBy(scenario);
  if (blocked !== undefined) return blocked;
  if (nodesReplaced === 0 || isOpen(scenario)) return { outcome: 'inconclusive', because };
  return { outcome: 'met', because };
}

function noSurpriseReplacement(run: RunEvidence): Decision {
  const surprises = run.replacements.filter(({ ours }) => !ours);
  if (surprises.length > 0)
    return {
      outcome: 'not-met',
      because: surprises.map(({ nodeClaim, cause }) => `${nodeClaim}: ${cause}`).join('; '),
    };
  return wholeRun(run, 'this run caused every node removal');
}

/** Criteria 4 and 6 are about the whole run: while scenarios are missing, they can be violated but not met. */
function wholeRun({ scenarios, clusterWatched, ended }: RunEvidence, because: string): Decision {
  if (!clusterWatched) return { outcome: 'inconclusive', because: 'the cluster was not watched through the whole run' };
  const wanted = scenarios.filter(({ notApplicable }) => notApplicable === undefined);
  const missing = wanted.filter(({ verdict }) => verdict === 'not-tested').map(({ name }) => name);
  if (missing.length === wanted.length) return { outcome: 'not-tested', because: 'no scenario was tested' };
  if (missing.length > 0)
    return {
      outcome: 'not-tested',
      because: `nothing against it so far; the whole run decides, and it lacks ${missing.join(', ')}`,
    };
  if (!ended) return { outcome: 'inconclusive', because: 'the run did not come to its end' };
  const incomplete = wanted
    .filter((one) => one.window === null && blockedBy(one) === undefined)
    .map(({ name }) => name);
  if (incomplete.length > 0)
    return { outcome: 'inconclusive', because: `${incomplete.join(', ')}: not run, or not to its end` };
  return { outcome: 'met', because };
}

/** Not met if one decision is; otherwise not tested if one is not tested. */
function combine(decisions: readonly Decision[]): Decision {
  const tested = decisions.filter(({ outcome }) => outcome !== 'not-tested');
  const outcome = worst(tested.map((decision) => decision.outcome as Outcome));
  const because = decisions.map((decision) => decision.because).join('; ');
  if (outcome === 'not-met' || tested.length === decisions.length) return { outcome, because };
  return { outcome: 'not-tested', because };
}

const find = (run: RunEvidence, name: string) => run.scenarios.find((scenario) => scenario.name === name);
const notTested = (name: string): Decision => ({ outcome: 'not-tested', because: `${name} was not tested` });

/**
 * Also a failed scenario may have an open question: if it did not settle or an action failed, the lack of downtime
 * proves nothing.
 */
const isOpen = ({ verdict, findings }: ScenarioResult): boolean =>
  verdict === 'inconclusive' || findings.some(leavesOpen);

const leavesOpen = ({ id, severity }: Finding): boolean => severity === 'warning' && id !== witnessesApart;

/** What is blocked for ever is not done. */
function blockedBy({ name, findings }: ScenarioResult): Decision | undefined {
  const obstacles = findings.filter(({ id }) => id === 'blocked').map(({ observed }) => observed);
  return obstacles.length === 0
    ? undefined
    : { outcome: 'not-met', because: `${name} is blocked: ${obstacles.join('; ')}` };
}

/** The scenario was started, but has no result or was not observed. */
function notMeasured(scenario: ScenarioResult): Decision {
  const open = scenario.findings.some(leavesOpen);
  return { outcome: 'inconclusive', because: `${scenario.name}: ${open ? reasonOf(scenario) : 'it was not observed'}` };
}

function reasonOf({ findings, downtime }: ScenarioResult): string {
  const open = findings.find(leavesOpen);
  if (open !== undefined) return `${open.expected}: ${open.observed}`;
  return `${downtime?.unknown ?? 0} of ${downtime?.samples ?? 0} samples unknown`;
}
