import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { evidenceReader } from '../../src/dashboard/evidence.ts';
import { judgements } from '../../src/dashboard/judgements.ts';
import { seriesOf } from '../../src/dashboard/series.ts';
import { nodeDrain } from '../../src/validation/scenarios/node-drain.ts';
import { validationSchema } from '../../src/validation/settings.ts';
import { rehearse } from '../support/rehearse.ts';

test('of several applications each has its traffic and its downtime, and the run is judged for all of them', async (t) => {
  const forum = { application: 'forum', url: 'http://forum.example.com/' };
  const settings = validationSchema.parse({ applications: [forum] });
  let isCut = false;
  const run = await rehearse(t, {
    settings,
    scenarios: [nodeDrain],
    onFact: ({ type }) => {
      if (type === 'round-opened') isCut = true;
      if (type === 'scenario-settled') isCut = false;
    },
    through: (host) => ({
      ...host,
      probe: async (target, ...rest) => {
        const sample = await host.probe(target, ...rest);
        return isCut && target.url.includes('forum') ? { ...sample, status: 503 } : sample;
      },
    }),
  });
  const reader = evidenceReader();
  reader.journal(readFileSync(`${run.folder}/journal.jsonl`));
  reader.downtimeLog(readFileSync(`${run.folder}/downtime.log`));
  const evidence = reader.read();
  const judged = judgements(evidence);
  const series = seriesOf(evidence, judged);
  assert.deepEqual(
    series?.applications.map(({ name, outageCount }) => [name, outageCount > 1]),
    [
      ['Deployment/nginx-test', false],
      ['Deployment/forum', true],
    ],
  );
  const last = series?.downtimes.map((moments) => moments.at(-1)?.seconds ?? 0) ?? [];
  assert.ok((last[1] ?? 0) > (last[0] ?? 0) + 5, String(last));
  const during = series?.strips.map((strip) => strip?.cells.slice(-200).includes('b'));
  assert.deepEqual(during, [false, true]);
  assert.deepEqual(judged.at(-1)?.result.applications, run.result.applications);
  assert.equal(series?.endings[0]?.verdict, 'fail');
});
