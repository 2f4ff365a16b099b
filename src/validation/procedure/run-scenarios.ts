import type { DowntimeLimit } from '../monitor/downtime-limit.ts';
import { readHorizontalAutoscalers } from '../observe/read-horizontal-autoscalers.ts';
import { readSnapshot } from '../observe/snapshot.ts';
import { predict } from '../predict/predict.ts';
import { readCircumstances } from '../predict/read-circumstances.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { scenarioGuard } from '../scenarios/scenario-guard.ts';
import { withStartingReplicas } from '../scenarios/starting-replicas.ts';
import { runScenario, type ScenarioRun } from './run-scenario.ts';

/**
 * Phase 4 of 4.1: runs one scenario after the other, each predicted before its first action. The downtime limit is raised by what is
 * predicted. Throws the signal's reason when the run is stopped; no further scenario starts then.
 */
export async function runScenarios(
  run: ScenarioRun,
  scenarios: readonly Scenario[],
  limit: Pick<DowntimeLimit, 'expect'>,
  onScenarioEnd: (scenario: Scenario) => Promise<void>,
): Promise<void> {
  for (const scenario of scenarios) {
    run.signal.throwIfAborted();
    const allowed = await asOwnerAllows(run, scenario);
    if ('refused' in allowed) skip(run, scenario, allowed.refused);
    else await predictAndRun(run, allowed, limit);
    await run.journal.flush();
    await onScenarioEnd(scenario);
  }
}

/** The scenario as it is run on an application that its owner deployed (`manifests: none`), or why it must not run there. */
async function asOwnerAllows(
  { site, settings }: Pick<ScenarioRun, 'site' | 'settings'>,
  scenario: Scenario,
): Promise<Scenario | { readonly refused: string }> {
  if (settings.manifests !== 'none') return scenario;
  const autoscalers = await readHorizontalAutoscalers(site.cluster, settings);
  const before = await readSnapshot(site.cluster, settings);
  const started = withStartingReplicas(scenario, before, autoscalers, settings);
  const refused = scenarioGuard(started, before, autoscalers, settings);
  return refused === undefined ? started : { refused };
}

function skip({ journal }: Pick<ScenarioRun, 'journal'>, { name: scenario }: Scenario, because: string): void {
  journal.record({ type: 'scenario-started', scenario });
  journal.record({ type: 'scenario-inconclusive', scenario, because });
  journal.record({ type: 'scenario-finished', scenario });
}

async function predictAndRun(
  run: ScenarioRun,
  scenario: Scenario,
  limit: Pick<DowntimeLimit, 'expect'>,
): Promise<void> {
  const { site, settings, journal } = run;
  const cloud = scenario.needs === 'zone' ? site.cloud : undefined;
  const prediction = predict(scenario, await readCircumstances(site.cluster, settings, cloud), settings);
  journal.record({ type: 'scenario-predicted', scenario: scenario.name, prediction });
  limit.expect(prediction.downtimeSeconds.most);
  await runScenario(run, scenario);
  limit.expect(0);
}
