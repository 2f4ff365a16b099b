import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { type Evidence, evidenceReader } from '../../src/dashboard/evidence.ts';
import { judgements } from '../../src/dashboard/judgements.ts';
import { type Series, seriesOf } from '../../src/dashboard/series.ts';
import { nodeFiles } from '../../src/host/files.ts';
import { sumSeconds } from '../../src/validation/downtime-meter.ts';
import { readRun } from '../../src/validation/read-run.ts';
import type { RunResult } from '../../src/validation/run-result.ts';
import { nodeDrain } from '../../src/validation/scenarios/node-drain.ts';
import { singleReplica } from '../../src/validation/scenarios/single-replica.ts';
import { rehearse } from '../support/rehearse.ts';
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

test('a finished run ends with the words, the table and the criteria of its report', () => {
  const series = seriesAt(journal);
  assert.equal(series?.ending?.verdict, result.verdict);
  assert.deepEqual(
    series?.ending?.rows.map(([scenario]) => scenario),
    ['Scale up', 'Scale down', 'Pod kill', 'Node drain', 'Instance kill', 'Drift replace'],
  );
  assert.deepEqual(series?.judged.at(-1)?.criteria, result.criteria);
  const spike = series?.scenarios.find(({ name }) => name === 'single-replica');
  assert.equal(spike?.verdict, 'pass');
  assert.deepEqual(spike?.downtime, result.scenarios[2]?.downtime);
});

test('ten scenarios stand in it from the beginning, and a verdict only where one has ended', () => {
  const series = seriesAt(until('"scenario-started","scenario":"node-drain"'));
  assert.equal(series?.scenarios.length, 10);
  assert.deepEqual(
    series?.scenarios.flatMap(({ name, verdict }) => (verdict === null ? [] : [`${name} ${verdict}`])),
    ['single-replica pass'],
  );
  assert.deepEqual(
    series?.scenarios.filter(({ chosen }) => chosen).map(({ name }) => name),
    ['single-replica', 'node-drain'],
  );
  assert.equal(series?.ending, null);
});

test('nothing is called unfinished or failed while it goes on', () => {
  const series = seriesAt(until('"scenario-settled","scenario":"node-drain"'));
  const findings = series?.judged.at(-1)?.findings ?? [];
  assert.deepEqual(
    findings.filter(({ severity }) => severity === 'error'),
    [],
  );
  const open = series?.deeds.filter(({ scenario, undo }) => scenario === 'node-drain' && undo === null) ?? [];
  assert.ok(open.some(({ action }) => action === 'drain-node'));
});

test('a scenario goes through its phases in their order', () => {
  const series = seriesAt(journal);
  const names = series?.phases.filter(({ scenario }) => scenario === 'single-replica').map(({ name }) => name) ?? [];
  assert.deepEqual([...new Set(names)], ['baseline', 'act', 'settle', 'undo', 'quiet']);
  assert.deepEqual(
    series?.phases.slice(0, 3).map(({ name }) => name),
    ['pre-check', 'apply', 'pause'],
  );
  assert.equal(series?.phases.at(-1)?.name, 'end');
});

test('what counts as downtime begins when the application is verified, and comes to what the report’s outages do', () => {
  const series = seriesAt(journal);
  const [first] = series?.downtime ?? [];
  assert.equal(first?.at, series?.verifiedAt);
  assert.ok((series?.outages.length ?? 0) > 1, 'the application was being made');
  const counted = result.outages.filter(({ scenario }) => scenario !== null);
  const sum = (figure: 'seconds' | 'lowerSeconds' | 'upperSeconds'): number =>
    sumSeconds(counted.map((outage) => outage[figure]));
  const { at: _, ...last } = series?.downtime.at(-1) ?? { at: 0 };
  assert.ok(counted.length > 0);
  assert.deepEqual(last, {
    seconds: sum('seconds'),
    lowerSeconds: sum('lowerSeconds'),
    upperSeconds: sum('upperSeconds'),
  });
});

test('any beginning of the two files makes a series, and never one of a later time', () => {
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

test('a torn last line is nothing, and a fact when the rest of it has come', () => {
  const whole = until('"scenario-finished","scenario":"single-replica"');
  const reader = evidenceReader();
  reader.journal(whole.subarray(0, whole.length - 20));
  const torn = reader.read().facts.length;
  reader.journal(whole.subarray(whole.length - 20));
  assert.equal(reader.read().facts.length, torn + 1);
});

test('what was judged once is not judged again', () => {
  const early = judgements(evidenceOf(until('"scenario-finished","scenario":"single-replica"'), log));
  const late = judgements(evidenceOf(journal, log), early);
  assert.ok(early.length >= 2 && late.length > early.length);
  assert.equal(late[0], early[0]);
  assert.notEqual(late[early.length - 1], early.at(-1), 'the newest may have been judged before its samples came');
});
