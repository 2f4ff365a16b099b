import { readHorizontalAutoscalers } from '../observe/read-horizontal-autoscalers.ts';
import { readSnapshot } from '../observe/snapshot.ts';
import { predict } from '../predict/predict.ts';
import { readCircumstances } from '../predict/read-circumstances.ts';
import { lacks } from '../scenarios/lacks.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { scenarioGuard } from '../scenarios/scenario-guard.ts';
import { withStartingReplicas } from '../scenarios/starting-replicas.ts';
import type { Entrant } from './part.ts';
import { runScenario, type ScenarioRun } from './run-scenario.ts';

type Runs = readonly [ScenarioRun, ...ScenarioRun[]];

/**
 * Phase 4 of 4.1: runs one scenario after the other, each predicted before its first action. What several applications
 * share is disturbed once for all of them; all else for one after the other. The downtime limit is raised by what is
 * predicted. Throws the signal's reason when the run is stopped; no further scenario starts then.
 */
export async function runScenarios(
  runs: Runs,
  scenarios: readonly Scenario[],
  onScenarioEnd: (scenario: Scenario) => Promise<void>,
): Promise<void> {
  const [{ journal }] = runs;
  for (const scenario of scenarios) {
    for (const group of groupsFor(runs, scenario)) await runForAll(group, scenario);
    await journal.flush();
    await onScenarioEnd(scenario);
  }
}

/**
 * Those for which the scenario is made at once, in the order of the applications; without those that have not what it
 * needs.
 */
function groupsFor(runs: Runs, scenario: Scenario): readonly (readonly ScenarioRun[])[] {
  const able = runs.length === 1 ? runs : runs.filter(({ settings }) => lacks(settings, scenario) === undefined);
  const { sharedBy } = scenario;
  if (sharedBy === undefined) return able.map((run) => [run]);
  return [...Map.groupBy(able, ({ settings }) => sharedBy(settings)).values()];
}

/** Runs the scenario again until it has reached all of them. */
async function runForAll(group: readonly ScenarioRun[], scenario: Scenario): Promise<void> {
  const able: Entrant[] = [];
  for (const run of group) {
    run.signal.throwIfAborted();
    const allowed = await asOwnerAllows(run, scenario);
    if ('refused' in allowed) skip(run, scenario, allowed.refused);
    else able.push({ run, scenario: allowed });
  }
  for (let left: readonly Entrant[] = able; ; ) {
    const [first, ...beside] = left;
    if (first === undefined) return;
    left = await predictAndRun([first, ...beside]);
    if (left.length > 0) first.run.signal.throwIfAborted();
  }
}

/**
 * The scenario as it is run on an application that its owner deployed (`manifests: none`), or why it must not run
 * there.
 */
async function asOwnerAllows(
  { site, settings }: Pick<ScenarioRun, 'site' | 'settings'>,
  scenario: Scenario,
): Promise<Scenario | { readonly refused: string }> {
  if (settings.manifests !== 'none') return scenario;
  const autoscalers = await readHorizontalAutoscalers(site.cluster, settings);
  const before = await readSnapshot(site.cluster, settings);
  const started = withStartingReplicas(scenario, before, autoscalers, settings);
  const refused = scenarioGuard(started, before, autoscalers, settings, site.pausesAutoscalers);
  return refused === undefined ? started : { refused };
}

function skip(
  { journal }: Pick<ScenarioRun, 'journal'>,
  { name: scenario, demonstrates }: Scenario,
  because: string,
): void {
  journal.record({ type: 'scenario-started', scenario });
  journal.record({ type: 'scenario-inconclusive', scenario, because, ...(demonstrates && { needless: true }) });
  journal.record({ type: 'scenario-finished', scenario });
}

/** Returns those that it did not reach. */
async function predictAndRun(entrants: readonly [Entrant, ...Entrant[]]): Promise<readonly Entrant[]> {
  for (const { run, scenario } of entrants) {
    const { site, settings, journal, limit } = run;
    const cloud = scenario.needs === 'zone' ? site.cloud : undefined;
    const prediction = predict(scenario, await readCircumstances(site.cluster, settings, cloud), settings);
    journal.record({ type: 'scenario-predicted', scenario: scenario.name, prediction });
    limit.expect(prediction.downtimeSeconds.most);
  }
  const [first, ...beside] = entrants;
  const passedOver = await runScenario(first, beside);
  for (const { run } of entrants) run.limit.expect(0);
  return passedOver;
}
