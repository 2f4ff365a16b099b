import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultRows } from '../../src/report/cells.ts';
import { reportHtml } from '../../src/report/html.ts';
import { reportJson } from '../../src/report/json.ts';
import { reportJunit } from '../../src/report/junit.ts';
import { reportMarkdown } from '../../src/report/markdown.ts';
import { reportText } from '../../src/report/text.ts';
import { judgeRun } from '../../src/validation/judge/judge-run.ts';
import type { LogView } from '../../src/validation/judge/log-view.ts';
import { emptyLogView } from '../../src/validation/judge/read-run.ts';
import type { RunResult } from '../../src/validation/judge/run-result.ts';
import type { ValidationFact } from '../../src/validation/record/events.ts';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import { downtime } from '../support/results.ts';
import { logWith, runOf, scenarioFacts } from '../support/run-facts.ts';

const names = scenarios.map(({ name }) => name);
const from = (index: number) => 100 * (index + 1);
const facts = runOf(...names.map((name, index) => scenarioFacts({ name, from: from(index) })));

function judged(log: LogView, of: readonly ValidationFact[] = facts): RunResult {
  const result = judgeRun(of, log);
  assert.ok(result);
  return result;
}

test('without a sample downtime is null in the table and the scenarios, and no scenario passes', () => {
  for (const log of [emptyLogView, logWith([], { samples: 0, unknown: 60, unknownSeconds: 60 })]) {
    const result = judged(log);
    assert.deepEqual(
      result.resultTable.map(({ downtimeSeconds }) => downtimeSeconds),
      [null, null, null, null, null, null],
    );
    assert.ok(result.scenarios.every(({ downtime: seen }) => seen === null));
    assert.deepEqual(
      result.criteria.slice(0, 3).map(({ outcome }) => outcome),
      ['inconclusive', 'inconclusive', 'inconclusive'],
    );
    assert.notEqual(result.verdict, 'pass');
  }
});

/** The reports' text for people, without the pictures and the API's judgements. */
test('no report shows zero seconds for downtime that was not measured', () => {
  const result = judged(emptyLogView);
  const traffic = { intervalSeconds: undefined, strips: new Map() };
  const html = reportHtml({ result, facts, traffic }).replace(/<style>[\s\S]*<\/style>/, '');
  for (const report of [reportText(result), reportMarkdown(result), reportJunit(result), reportJson(result), html]) {
    assert.doesNotMatch(report, /(?<![\d.±])0(\.0)? s\b/);
    assert.match(report, /not measured/);
  }
  assert.ok(!reportJson(result).includes('"downtimeSeconds":0'));
});

test('a row shows its seconds, not measured without a sample, or not tested', () => {
  const kill = scenarioFacts({ name: 'instance-kill', from: 100 });
  const drain = scenarioFacts({ name: 'node-drain', from: 300 });
  const seenOnly = (wanted: number): LogView => ({
    outages: [],
    episodes: [],
    downtimeIn: (start) => downtime(start === Date.parse(kill[1]?.at ?? '') ? { samples: wanted } : {}),
  });
  const cells = (samples: number) =>
    Object.fromEntries(
      resultRows(judged(seenOnly(samples), runOf(kill, drain))).map(({ cells: [name, seen] }) => [name, seen]),
    );
  const rest = { 'Scale up': 'not tested', 'Scale down': 'not tested', 'Pod kill': 'not tested' };
  const unmade = { ...rest, 'Node drain': '0.0 s', 'Drift replace': 'not tested' };
  assert.deepEqual(cells(0), { ...unmade, 'Instance kill': 'not measured' });
  assert.deepEqual(cells(1), { ...unmade, 'Instance kill': '0.0 s' });
});
