import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accuracy, episodeCells, runSentence, scenarioCells } from '../../src/report/cells.ts';
import { trendOf, trendText } from '../../src/report/trend.ts';
import type { RunResult } from '../../src/validation/judge/run-result.ts';
import { downtime, episodesOf, scenarioResult } from '../support/results.ts';
import { richResult } from '../support/rich-run.ts';

test('a run without an end in its journal is not said to be killed: it may still run', () => {
  const startedAt = '2026-11-20T10:00:00.000Z';
  const run = { id: 'run', kind: 'cluster', cluster: 'web', startedAt };
  const sentence = (finishedAt: string | null) =>
    runSentence({ run: { ...run, finishedAt }, tool: { name: 'holdfast', version: '1' } } as RunResult);
  assert.match(
    sentence(null),
    /^run on web, 2026-11-20 10:00:00Z and without an end yet: it still runs, or was killed,/,
  );
  assert.match(sentence(startedAt), /to 2026-11-20 10:00:00Z/);
});

test('a scenario has one figure of its downtime, and its samples', () => {
  const partial = {
    spanSeconds: 47.4,
    lowerSeconds: 47.2,
    upperSeconds: 49.532,
    share: 0.46,
    shareLower: 0.4,
    shareUpper: 0.52,
  };
  const scenario = scenarioResult('node-drain', {
    downtime: downtime({
      bad: 87,
      seconds: 21.68,
      lowerSeconds: 7.2,
      upperSeconds: 49.532,
      slowSeconds: 10.1,
      partial,
    }),
  });
  assert.deepEqual(scenarioCells(scenario).slice(2), ['47.4 s, 46 % of requests', '300, 87 bad, 0 unknown']);
});

test('of several vantage points the rule is reported, and of each outage for whom it was one', () => {
  const vantages = ['dublin', 'oregon'].map((name) => ({ name, log: `${name}.log`, samples: 9, unknown: 0 }));
  assert.match(
    accuracy({ vantages, rule: 'most' }),
    /^2 vantage points \(dublin, oregon\): down for more than half of them counts\. Times/,
  );
  assert.match(accuracy({}), /^Times/);
  const outage: RunResult['outages'][number] = {
    from: '2026-11-20T10:00:00.000Z',
    to: '2026-11-20T10:00:03.000Z',
    seconds: 3,
    lowerSeconds: 2,
    upperSeconds: 4,
    samples: 3,
    kinds: ['503'],
    scenario: null,
  };
  const requests = (over: object) => episodesOf([outage]).map((one) => episodeCells({ ...one, ...over })[2])[0];
  assert.equal(requests({}), 'all');
  assert.equal(requests({ seenBy: ['dublin', 'oregon'], notSeenBy: [], blind: [] }), 'all; down for all');
  assert.equal(
    requests({ outages: 2, seenBy: ['dublin'], notSeenBy: ['oregon'], blind: [] }),
    'a part; down for dublin; not for oregon',
  );
});

test('runs in a row tell the downtime of each', () => {
  const result = { ...richResult, run: { ...richResult.run, startedAt: '2026-11-20T10:00:00.000Z' } };
  const trend = trendOf([{ folder: 'runs/a', result }]);
  assert.equal(trend.runs[0]?.downtime.find(({ scenario }) => scenario === 'Node drain')?.downtime?.slowSeconds, 2);
  assert.match(trendText(trend).replaceAll(/\s+/g, ' '), /1\.0–3\.0 s/);
});
