import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { type Evidence, evidenceReader } from '../../src/dashboard/evidence.ts';
import { judgements } from '../../src/dashboard/judgements.ts';
import { type Series, seriesOf } from '../../src/dashboard/series.ts';
import { nodeFiles } from '../../src/host/files.ts';
import { verdictReasons, verdictWords } from '../../src/report/verdict.ts';
import { judgeRun } from '../../src/validation/judge/judge-run.ts';
import { emptyLogView, readRun } from '../../src/validation/judge/read-run.ts';
import type { RunResult } from '../../src/validation/judge/run-result.ts';
import { scenarios } from '../../src/validation/scenarios/index.ts';
import { nodeDrain } from '../../src/validation/scenarios/node-drain.ts';
import { singleReplica } from '../../src/validation/scenarios/single-replica.ts';
import { sumOfSpans } from '../../src/validation/window-downtime.ts';
import { at } from '../support/changes.ts';
import { rehearse } from '../support/rehearse.ts';
import { rowIn } from '../support/results.ts';
import { fact, iso, runOf, scenarioFacts } from '../support/run-facts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let journal: Buffer;
let log: Buffer;
let result: RunResult;
const cleanUps: (() => void)[] = [];

before(async () => {
  const folder = temporaryFolder({ after: (clean) => cleanUps.push(clean as () => void) });
  await rehearse({ after: () => {} }, { folder, scenarios: [singleReplica, nodeDrain] });
  journal = readFileSync(`${folder}/journal.jsonl`);
  log = readFileSync(`${folder}/downtime.log`);
  const run = await readRun(nodeFiles(), folder);
  assert.ok(run);
  result = run.result;
  for (const clean of cleanUps) clean();
});

function evidenceOf(journalBytes: Uint8Array, logBytes: Uint8Array): Evidence {
  const reader = evidenceReader();
  reader.journal(journalBytes);
  if (logBytes.length > 0) reader.downtimeLog(logBytes);
  return reader.read();
}

function seriesAt(journalBytes: Uint8Array, logBytes: Uint8Array = log): Series | undefined {
  const evidence = evidenceOf(journalBytes, logBytes);
  return seriesOf(evidence, judgements(evidence));
}

/** The journal up to the first fact of that type and scenario, included. */
function until(words: string): Uint8Array {
  const at = journal.indexOf(words);
  assert.ok(at > 0, words);
  return journal.subarray(0, journal.indexOf('\n', at) + 1);
}

test('a finished run ends with the verdict, the table and the criteria of its report', () => {
  const series = seriesAt(journal);
  const [ending, ...more] = series?.endings ?? [];
  assert.deepEqual([ending?.verdict, more], [result.verdict, []]);
  assert.deepEqual(
    ending?.rows.map(([scenario]) => scenario),
    ['Scale up', 'Scale down', 'Pod kill', 'Node drain', 'Instance kill', 'Drift replace'],
  );
  assert.deepEqual(series?.judged.at(-1)?.criteria, result.criteria);
  const spike = series?.scenarios.find(({ name }) => name === 'single-replica');
  assert.equal(spike?.verdict, 'pass');
  assert.deepEqual(spike?.downtime, rowIn(result, 'single-replica').downtime);
});

test('where several probers watch, an outage that one of them sees counts by the rule of the run, as in its report', () => {
  const vantages = (rule: string) => ({
    rule,
    logs: [
      { name: 'here', file: 'downtime.log' },
      { name: 'there', file: 'downtime-2.log' },
    ],
  });
  const quiet = Buffer.from(
    log.toString().replaceAll(/^(\d\S+) \d{3} [\d.]+(?: (?:body|error|reason)=\S+)*/gm, '$1 200 0.005'),
  );
  const judged = (rule: string) => {
    const reader = evidenceReader();
    const [first = '', ...rest] = journal.toString().split('\n');
    const started = JSON.stringify({ ...JSON.parse(first), vantages: vantages(rule) });
    reader.journal(Buffer.from([started, ...rest].join('\n')));
    assert.deepEqual(reader.logFiles(), ['downtime.log', 'downtime-2.log']);
    reader.downtimeLog(quiet);
    reader.downtimeLog(log, 'downtime-2.log');
    const evidence = reader.read();
    return seriesOf(evidence, judgements(evidence));
  };
  const spikeOf = (series: Series | undefined) => series?.scenarios.find(({ name }) => name === 'single-replica');
  const [any, all] = [judged('any'), judged('all')];
  assert.equal(spikeOf(any)?.downtime?.seconds, rowIn(result, 'single-replica').downtime?.seconds);
  assert.ok((any?.outages[0]?.length ?? 0) > 0);
  assert.equal(spikeOf(all)?.downtime?.seconds, 0);
  assert.deepEqual(all?.outages, [[]]);
});

test('a series has every scenario of a whole run from the start, and a verdict only for those that have ended', () => {
  const series = seriesAt(until('"scenario-started","scenario":"node-drain"'));
  assert.equal(series?.scenarios.length, scenarios.length);
  assert.deepEqual(
    series?.scenarios.flatMap(({ name, verdict }) => (verdict === null ? [] : [`${name} ${verdict}`])),
    ['single-replica pass'],
  );
  assert.deepEqual(
    series?.scenarios.filter(({ chosen }) => chosen).map(({ name }) => name),
    ['single-replica', 'node-drain'],
  );
  assert.deepEqual(series?.endings, []);
});

test('facts that `recover` adds after the end are judged again', () => {
  const left = runOf(scenarioFacts({ name: 'single-replica', from: 100 })).filter(
    ({ type }) => type !== 'action-undone',
  );
  const undone = { type: 'action-undone', id: 'single-replica 1', state: 'undone', because: 'it is as before' };
  const facts = [...left, fact(90_000, undone)];
  const evidence: Evidence = { facts, logs: [], rule: 'any', applications: [] };
  const series = seriesOf(evidence, judgements(evidence));
  const [before, after] = [left, facts].map((some) => judgeRun(some, emptyLogView));
  assert.ok(series && before && after);
  assert.deepEqual(
    series.endings.map(({ at, words, reasons }) => ({ at, words, reasons })),
    [
      { at: at(5000), words: verdictWords(before), reasons: verdictReasons(before) },
      { at: at(90_000), words: verdictWords(after), reasons: verdictReasons(after) },
    ],
  );
  assert.match(series.endings[0]?.reasons.join() ?? '', /could not be undone: delete-pod/);
  assert.doesNotMatch(series.endings[1]?.reasons.join() ?? '', /could not be undone/);
  assert.deepEqual(series.judged.at(-1)?.criteria, after.criteria);
});

test('a `recover` on the next day does not change the strip’s cells', () => {
  const text = { type: 'action-undone', id: 'any', state: 'undone', because: '', at: '2026-01-02T10:00:00.000Z' };
  const later = seriesAt(Buffer.concat([journal, Buffer.from(`${JSON.stringify(text)}\n`)]));
  assert.deepEqual(later?.strips, seriesAt(journal)?.strips);
  assert.equal(later?.strips[0]?.secondsPerCell, 1);
});

test('the series of a day with an outage every three seconds is bounded', () => {
  const day = runOf().map((one) => (one.type === 'run-finished' ? fact(86_400, one) : one));
  const lines = Array.from({ length: 86_400 }, (_, second) => `${iso(second)} ${second % 3 === 1 ? 503 : 200} 0.012\n`);
  const header = '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200\n';
  const evidence = evidenceOf(
    Buffer.from(day.map((one) => `${JSON.stringify(one)}\n`).join('')),
    Buffer.from(header + lines.join('')),
  );
  const series = seriesOf(evidence, []);
  assert.equal(series?.applications[0]?.outageCount, 1, 'of a part of the requests');
  assert.ok((series?.outages[0]?.length ?? 0) <= 500, `${series?.outages[0]?.length}`);
  assert.equal(series?.downtimes[0]?.at(-1)?.seconds, 86_398, 'one outage of a part of the requests');
  assert.ok(JSON.stringify(series).length < 500_000, `${JSON.stringify(series).length}`);
});

test('a run that goes on is not called unfinished, and its scenarios not failed', () => {
  const series = seriesAt(until('"scenario-settled","scenario":"node-drain"'));
  const findings = series?.judged.at(-1)?.findings ?? [];
  assert.deepEqual(
    findings.filter(({ severity }) => severity === 'error'),
    [],
  );
  const open = series?.actions.filter(({ scenario, undos }) => scenario === 'node-drain' && undos.length === 0) ?? [];
  assert.ok(open.some(({ action }) => action === 'drain-node'));
});

test('a scenario that was broken off ends with the run and has the report’s verdict, whatever `recover` does later', () => {
  const made = scenarioFacts({ name: 'single-replica', from: 100 });
  const broken = made.filter(({ type }) => !['action-undone', 'window-closed', 'scenario-finished'].includes(type));
  const undone = { type: 'action-undone', id: 'single-replica 1', state: 'undone', because: 'it is as before' };
  for (const later of [[], [fact(90_000, undone)]]) {
    const facts = [...runOf(broken), ...later];
    const evidence: Evidence = { facts, logs: [], rule: 'any', applications: [] };
    const series = seriesOf(evidence, judgements(evidence));
    const line = series?.scenarios.find(({ name }) => name === 'single-replica');
    assert.deepEqual([line?.finishedAt, line?.verdict], [at(5000), 'inconclusive']);
    assert.deepEqual(series?.phases.at(-1), { at: at(5000), name: 'end', scenario: null });
  }
});

test('a scenario has its phases in order', () => {
  const series = seriesAt(journal);
  const names = series?.phases.filter(({ scenario }) => scenario === 'single-replica').map(({ name }) => name) ?? [];
  assert.deepEqual([...new Set(names)], ['baseline', 'act', 'settle', 'undo', 'quiet']);
  assert.deepEqual(
    series?.phases.slice(0, 3).map(({ name }) => name),
    ['pre-check', 'apply', 'pause'],
  );
  assert.equal(series?.phases.at(-1)?.name, 'end');
});

test('downtime counts from the verification of the application on, up to that of the report’s outages', () => {
  const series = seriesAt(journal);
  const [first] = series?.downtimes[0] ?? [];
  assert.equal(first?.at, series?.applications[0]?.verifiedAt);
  assert.ok((series?.outages[0]?.length ?? 0) > 1, 'the application was being deployed');
  const counted = result.episodes.filter(({ scenario }) => scenario !== null);
  const { at: _, ...last } = series?.downtimes[0]?.at(-1) ?? { at: 0 };
  assert.ok(counted.length > 0);
  assert.deepEqual(last, sumOfSpans(counted.map(({ span }) => span)));
});

test('any prefix of the two files gives a series without later data', () => {
  const whole = seriesAt(journal);
  assert.ok(whole);
  fc.assert(
    fc.property(fc.nat(journal.length), fc.nat(log.length), (journalBytes, logBytes) => {
      const series = seriesAt(journal.subarray(0, journalBytes), log.subarray(0, logBytes));
      if (series === undefined) return assert.ok(journalBytes <= journal.indexOf('\n'));
      assert.ok(series.to <= whole.to && series.from === whole.from);
      assert.ok(series.judged.every(({ at }) => at <= series.to));
      assert.ok(series.phases.length <= whole.phases.length);
      assert.doesNotThrow(() => JSON.stringify(series));
    }),
    { numRuns: 60 },
  );
});

test('an incomplete last line is a fact only when the rest of it has come', () => {
  const whole = until('"scenario-finished","scenario":"single-replica"');
  const reader = evidenceReader();
  reader.journal(whole.subarray(0, whole.length - 20));
  const torn = reader.read().facts.length;
  reader.journal(whole.subarray(whole.length - 20));
  assert.equal(reader.read().facts.length, torn + 1);
});

test('earlier judgements are reused', () => {
  const early = judgements(evidenceOf(until('"scenario-finished","scenario":"single-replica"'), log));
  const late = judgements(evidenceOf(journal, log), early);
  assert.ok(early.length >= 2 && late.length > early.length);
  assert.equal(late[0], early[0]);
  assert.notEqual(late[early.length - 1], early.at(-1), 'the newest may have been judged before its samples came');
});
