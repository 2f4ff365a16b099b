import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportHtml } from '../../src/report/html.ts';
import { type ReportedRun, trafficRows, wholeRun } from '../../src/report/reported-run.ts';
import { richRun } from '../support/rich-run.ts';

const named = (name: string) => ({
  kind: 'Deployment',
  namespace: 'shop',
  name,
  host: name,
  path: '/',
  verdict: 'pass' as const,
});

/**
 * A run of `web` and these further applications, all of which the same probes reached; every outage is of the one that
 * is named last.
 */
function runOf(...further: readonly string[]): ReportedRun {
  const run = richRun();
  const last = further.at(-1) ?? 'web';
  return {
    ...run,
    further: new Map(further.map((name) => [`Deployment/${name}`, run.traffic])),
    result: {
      ...run.result,
      applications: ['web', ...further].map(named),
      episodes: run.result.episodes.map((one) => ({ ...one, application: `Deployment/${last}` })),
    },
  };
}

test('a picture has a row for each application, with its own outages', () => {
  const rows = trafficRows(runOf('api', 'docs'), wholeRun);
  assert.deepEqual(
    rows.map(({ application, outages }) => [application, outages.length > 0]),
    [
      ['Deployment/web', false],
      ['Deployment/api', false],
      ['Deployment/docs', true],
    ],
  );
  const html = reportHtml(runOf('api', 'docs'));
  const pictures = html.split('<svg class="picture"').slice(1);
  assert.ok(pictures.length > 1);
  for (const picture of pictures)
    for (const name of ['web', 'api', 'docs']) assert.ok(picture.includes(`>Deployment/${name}</text>`), name);
});

test('the row of the only application has no name', () => {
  const [row, ...others] = trafficRows({ ...richRun(), further: new Map() }, wholeRun);
  assert.deepEqual([row?.application, others], [undefined, []]);
});

test('of very many applications those with an outage have a row', () => {
  const names = Array.from({ length: 20 }, (_, index) => `app-${index}`);
  const rows = trafficRows(runOf(...names), wholeRun);
  assert.equal(rows.length, 8);
  assert.equal(rows.at(-1)?.application, 'Deployment/app-19');
});
