import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { spread } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import type { Host } from '../../../src/host/host.ts';
import { runFiles } from '../../../src/validation/record/run-folder.ts';
import { scenarios } from '../../../src/validation/scenarios/index.ts';
import type { Scenario } from '../../../src/validation/scenarios/scenario.ts';
import { rehearse } from '../../support/rehearse.ts';

/** Permissions depend on the scenario's name; their number must not shift the samples. */
const allowed = (host: Host): Host => ({
  ...host,
  http: async (request, signal) => {
    if (!request.url.endsWith('/selfsubjectaccessreviews')) return host.http(request, signal);
    const text = JSON.stringify({ ...JSON.parse(`${request.body}`), status: { allowed: true } });
    const chunks = async function* () {
      yield new TextEncoder().encode(text);
    };
    return { status: 201, headers: {}, text: async () => text, chunks, discard: () => undefined };
  },
});

/** The samples of a run of one scenario. */
async function samples(t: TestContext, scenario: Scenario): Promise<string> {
  const { folder } = await rehearse(t, { seed: 5, scenarios: [scenario], through: allowed });
  return readFileSync(join(folder, runFiles.downtimeLog), 'utf8');
}

test('other names and another order of the scenarios change no sample of a run of one scenario', async (t) => {
  const table = scenarios as Scenario[];
  const original = [...table];
  t.after(() => table.splice(0, table.length, ...original));
  const chosen = spread(original, 4);
  const before = new Map<string, string>();
  for (const scenario of chosen) before.set(scenario.name, await samples(t, scenario));
  const renamed = original.toReversed().map((scenario, index) => ({ ...scenario, name: `row-${index}` }));
  table.splice(0, table.length, ...renamed);
  for (const scenario of renamed.filter(({ title }) => chosen.some((one) => one.title === title))) {
    const { name = '' } = original.find(({ title }) => title === scenario.title) ?? {};
    const after = await samples(t, scenario);
    assert.ok(after.length > 3000, name);
    assert.ok(after === before.get(name), `${name} can be recognised by its name or its place`);
  }
});
