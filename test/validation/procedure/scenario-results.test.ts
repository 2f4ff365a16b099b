import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeFiles } from '../../../src/host/files.ts';
import { scenarioReader } from '../../../src/validation/judge/read-run.ts';
import type { ScenarioResult } from '../../../src/validation/judge/run-result.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';
import { rehearse } from '../../support/rehearse.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('the result of a scenario at its end is that of the report', async (t) => {
  const folder = temporaryFolder(t);
  const said: ScenarioResult[] = [];
  let read: ReturnType<typeof scenarioReader> | undefined;
  const { result } = await rehearse(t, {
    folder,
    world: { defects: ['replicas-on-one-node'] },
    onScenarioEnd: async (scenario, { files }) => {
      read ??= scenarioReader(files, folder);
      const one = await read(scenario);
      if (one !== undefined) said.push(one);
    },
  });
  assert.equal(said.length, scenarios.length);
  // Predictions are compared only after the end of the run.
  const withoutPrediction = ({ findings, ...row }: ScenarioResult) => ({
    ...row,
    predicted: null,
    findings: findings.filter(({ id }) => id !== 'prediction'),
  });
  assert.deepEqual(said, result.scenarios.map(withoutPrediction));
  assert.equal(await scenarioReader(nodeFiles(), temporaryFolder(t))(result.scenarios[0] as never), undefined);
});
