import assert from 'node:assert/strict';
import { closeSync, cpSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, type TestContext, test } from 'node:test';
import { nodeDrain } from '../../../src/validation/scenarios/node-drain.ts';
import { singleReplica } from '../../../src/validation/scenarios/single-replica.ts';
import { assertMistakes, holdfast } from '../../support/command-line.ts';
import { rehearse } from '../../support/rehearse.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const cleanUps: (() => unknown)[] = [];
let folder: string;

/** Two runs: on the second cluster a drain is not held back. */
before(async () => {
  const t = { after: (clean: () => unknown) => cleanUps.push(clean) } as unknown as TestContext;
  folder = temporaryFolder(t);
  const scenarios = [singleReplica, nodeDrain];
  for (const name of ['runs', 'runs/good', 'runs/bad']) mkdirSync(`${folder}/${name}`);
  await rehearse(t, { folder: `${folder}/runs/good`, scenarios });
  await rehearse(t, { folder: `${folder}/runs/bad`, scenarios, world: { defects: ['no-disruption-budget'] } });
});

after(() => {
  for (const clean of cleanUps) clean();
});

test('report --against says what became worse, writes nothing, and its exit code is that of the run', () => {
  const before = readdirSync(`${folder}/runs/bad`);
  const { status, stdout } = holdfast(folder, ['report', 'runs/bad', '--against', 'runs/good']);
  assert.equal(status, 1);
  assert.match(stdout, /^WORSE: Manual node drain, criterion 2\.\n/);
  assert.match(stdout, /\nManual node drain +pass, 0\.0 s +fail, \d\d\.\d s +worse\n/);
  assert.match(stdout, /\nCriterion 2 \(No downtime during node drain\.\) was met, is not met\.\n/);
  assert.deepEqual(readdirSync(`${folder}/runs/bad`), before);
  const back = holdfast(folder, ['report', 'runs/good', '--against', 'runs/bad', '--json']);
  assert.equal(back.status, 0);
  const { schemaVersion, change, scenarios } = JSON.parse(back.stdout);
  assert.deepEqual([schemaVersion, change], [1, 'better']);
  assert.deepEqual(
    scenarios.map(({ name, change }: { name: string; change: string }) => [name, change]),
    [
      ['single-replica', 'same'],
      ['node-drain', 'better'],
    ],
  );
});

test('report --trend has a row for each run of a folder, in the order of their starts', (t) => {
  const there = temporaryFolder(t);
  for (const [day, run] of ['bad', 'good', 'bad'].entries()) {
    cpSync(`${folder}/runs/${run}`, `${there}/${3 - day}`, { recursive: true });
    for (const name of ['journal.jsonl', 'downtime.log']) {
      const path = `${there}/${3 - day}/${name}`;
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('2026-01-01T', `2026-01-0${3 - day}T`));
    }
  }
  const { status, stdout } = holdfast(folder, ['report', there, '--trend']);
  assert.equal(status, 1, 'that of the last run');
  const rows = stdout.split('\n').filter((line) => line.startsWith('2026'));
  assert.deepEqual(
    rows.map((row) => /^(\S+) .*(PASS|FAIL)/.exec(row)?.slice(1)),
    [
      ['2026-01-01', 'FAIL'],
      ['2026-01-02', 'PASS'],
      ['2026-01-03', 'FAIL'],
    ],
  );
  const { runs } = JSON.parse(holdfast(folder, ['report', `${there}/2`, `${there}/1`, '--trend', '--json']).stdout);
  assert.deepEqual(
    runs.map(({ verdict }: { verdict: string }) => verdict),
    ['fail', 'pass'],
  );
  assert.equal(
    runs[1].downtime.find(({ scenario }: { scenario: string }) => scenario === 'Node drain').downtime.seconds,
    0,
  );
});

test('mistakes: two runs without --trend, both comparisons at once, a folder without a run', () => {
  assertMistakes(holdfast(folder, ['report', 'runs/good', 'runs/bad']), /report takes one run, not 2: add --trend/);
  assertMistakes(
    holdfast(folder, ['report', 'runs/good', '--trend', '--against', 'runs/bad']),
    /--against and --trend exclude each other/,
  );
  assertMistakes(holdfast(folder, ['report', '.', '--trend']), /\. is not a run folder, and holds none/);
  assertMistakes(holdfast(folder, ['report', 'runs/good', '--against', '.']), /\. is not a run folder/);
});

test('report of a run that goes on says which process writes it, and writes nothing; once that process is gone it was killed', (t) => {
  const there = temporaryFolder(t);
  cpSync(`${folder}/runs/good`, `${there}/run`, { recursive: true });
  const journal = `${there}/run/journal.jsonl`;
  const lines = readFileSync(journal, 'utf8').split('\n');
  writeFileSync(journal, lines.filter((line) => !line.includes('"run-finished"')).join('\n'));
  const before = readdirSync(`${there}/run`);
  const opened = openSync(journal, 'a');
  const live = holdfast(there, ['report', 'run']);
  closeSync(opened);
  assert.equal(live.status, 6);
  assert.match(live.stderr, new RegExp(`the run in run goes on: process ${process.pid} writes its journal`));
  assert.deepEqual(readdirSync(`${there}/run`), before);
  const killed = holdfast(there, ['report', 'run']);
  assert.equal(killed.status, 4);
  assert.match(killed.stdout, /its journal has no end: it was killed/);
});
