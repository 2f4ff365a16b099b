import type { DowntimeLimit } from '../monitor/abort-after.ts';
import { readAutoscalers } from '../observe/read-horizontal-autoscalers.ts';
import { readSnapshot } from '../observe/snapshot.ts';
import { predict } from '../predict/predict.ts';
import { readCircumstances } from '../predict/read-circumstances.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { scenarioGuard } from '../scenarios/scenario-guard.ts';
import type { Run } from './run.ts';
import { runScenario } from './run-scenario.ts';

/** Phase 4: one scenario after the other, each predicted before anything is done; none after the run is not to go on. */
export async function runScenarios(
  run: Run,
  scenarios: readonly Scenario[],
  limit: DowntimeLimit,
  ended: (scenario: Scenario) => Promise<void>,
): Promise<void> {
  for (const scenario of scenarios) {
    run.signal.throwIfAborted();
    const refused = await guarded(run, scenario);
    if (refused === undefined) await foretoldScenario(run, scenario, limit);
    else leaveOut(run, scenario, refused);
    await run.journal.flush();
    await ended(scenario);
  }
}

async function guarded({ site, settings }: Run, scenario: Scenario): Promise<string | undefined> {
  if (settings.manifests !== 'none') return undefined;
  const autoscalers = await readAutoscalers(site.cluster, settings);
  return scenarioGuard(scenario, await readSnapshot(site.cluster, settings), autoscalers, settings);
}

function leaveOut({ journal }: Run, { name: scenario }: Scenario, because: string): void {
  journal.record({ type: 'scenario-started', scenario });
  journal.record({ type: 'scenario-inconclusive', scenario, because });
  journal.record({ type: 'scenario-finished', scenario });
}

async function foretoldScenario(run: Run, scenario: Scenario, limit: DowntimeLimit): Promise<void> {
  const { site, settings, journal } = run;
  const prediction = predict(scenario, await readCircumstances(site.cluster, settings), settings);
  journal.record({ type: 'scenario-predicted', scenario: scenario.name, prediction });
  limit.expect(prediction.downtimeSeconds.most);
  await runScenario(run, scenario);
  limit.expect(0);
}
