import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { exitCodeOf } from '../../../src/validation/judge/exit-code.ts';
import { readRun } from '../../../src/validation/judge/read-run.ts';
import { runFiles } from '../../../src/validation/record/run-folder.ts';
import { quietHost } from '../../support/quiet-host.ts';
import { assertConforms } from '../../support/schema.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const program = join(import.meta.dirname, '../../../bin/holdfast.js');
const ends: (() => unknown)[] = [];
const root = temporaryFolder({ after: (end) => void ends.push(end as () => unknown) });
after(() => Promise.all(ends.map((end) => end())));

const holdfast = (words: readonly string[], cwd: string, environment: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, [program, ...words], { cwd, encoding: 'utf8', env: { ...process.env, ...environment } });

const evidence = [runFiles.journal, runFiles.downtimeLog] as const;
const reports = ['report.json', 'report.md', 'report.html', 'junit.xml'] as const;
const whole = join(root, 'here', 'run');
let rehearsed: ReturnType<typeof holdfast>;

before(() => {
  mkdirSync(join(root, 'here'));
  rehearsed = holdfast(['rehearse', '--seed', '4', '--out', whole], root, { TZ: 'UTC', LANG: 'C' });
});

test('`report` from the log and the journal alone gives the same bytes in another folder, time zone and language', () => {
  const there = join(root, 'there', 'another name');
  mkdirSync(there, { recursive: true });
  for (const name of evidence) copyFileSync(join(whole, name), join(there, name));
  const elsewhere = { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };
  const again = holdfast(['report', 'another name'], join(root, 'there'), elsewhere);
  assert.deepEqual([again.status, again.stdout], [rehearsed.status, rehearsed.stdout]);
  assert.equal(rehearsed.status, 0);
  for (const name of reports)
    assert.ok(readFileSync(join(there, name)).equals(readFileSync(join(whole, name))), `${name} differs`);
});

test('the report of a whole run fits its schema, and has the monitor’s settings', () => {
  const report = JSON.parse(readFileSync(join(whole, 'report.json'), 'utf8'));
  assertConforms('report', report);
  assert.deepEqual(report.probe, { intervalSeconds: 1, timeoutSeconds: 10, slowSeconds: 1, expect: 200 });
});

/** The run as a power loss leaves it: so many bytes of each file. */
function torn(name: string, bytes: Readonly<Partial<Record<(typeof evidence)[number], number>>>): string {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const file of evidence) {
    const text = readFileSync(join(whole, file));
    writeFileSync(join(folder, file), text.subarray(0, bytes[file] ?? text.length));
  }
  return folder;
}

test('a torn last line and a missing end are reported, and are never a pass', () => {
  const journal = readFileSync(join(whole, runFiles.journal));
  const folder = torn('torn', { [runFiles.journal]: Math.floor(journal.length * 0.7) });
  const { status, stdout } = holdfast(['report', folder, '--json'], root);
  const { verdict, findings, scenarios } = JSON.parse(stdout);
  assert.ok(status === 4 || status === 5, `${status}`);
  assert.notEqual(verdict, 'pass');
  assert.ok(findings.some(({ id }: { id: string }) => id === 'unfinished'));
  assert.ok(
    scenarios.some((one: { verdict: string }) => one.verdict === 'pass'),
    'what was seen whole stands',
  );
  assert.ok(scenarios.some((one: { verdict: string }) => one.verdict === 'not-tested'));
});

test('a damaged line is reported and makes the run inconclusive: exit 4', () => {
  const lines = readFileSync(join(whole, runFiles.journal), 'utf8').split('\n');
  const folder = torn('garbled', {});
  const intended = lines.findIndex((line) => line.includes('"action-intended"'));
  writeFileSync(join(folder, runFiles.journal), lines.with(intended, `${lines[intended]?.slice(9)}`).join('\n'));
  const { status, stdout } = holdfast(['report', folder], root);
  assert.equal(status, 4, stdout);
  assert.match(stdout, /INCONCLUSIVE[\s\S]*journal: 1 cannot/);
});

test('a journal cut at any line is no pass, and only what it has is reported', async () => {
  const length = readFileSync(join(whole, runFiles.journal)).length;
  const full = await readRun(quietHost().files, whole);
  for (let part = 1; part < 30; part += 1) {
    // Prime steps, so that the cut is at every place of a line.
    const bytes = Math.floor((length * part) / 30) - 13 * part;
    const run = await readRun(quietHost().files, torn(`journal-${part}`, { [runFiles.journal]: bytes }));
    assert.ok(run && full, `${bytes} bytes`);
    assert.ok([4, 5].includes(exitCodeOf(run.facts, run.result)), `${bytes} bytes: ${run.result.verdict}`);
    const known = new Map(full.result.scenarios.map((one) => [one.name, one.verdict]));
    for (const { name, verdict } of run.result.scenarios)
      assert.ok(['not-tested', 'inconclusive', known.get(name)].includes(verdict), `${name} is ${verdict}`);
  }
});

test('a run killed at any moment blames its own actions on nobody else', async () => {
  const lines = (name: string) => readFileSync(join(whole, name), 'utf8').split('\n').slice(0, -1);
  const [journal, log] = [lines(runFiles.journal), lines(runFiles.downtimeLog)];
  const folder = torn('killed', {});
  for (let length = 5; length < journal.length; length += 5) {
    const { at } = JSON.parse(journal[length - 1] ?? '') as { readonly at: string };
    const seen = log.filter((line) => line.startsWith('#') || (line.split(' ')[0] ?? '') <= at);
    writeFileSync(join(folder, runFiles.journal), `${journal.slice(0, length).join('\n')}\n`);
    writeFileSync(join(folder, runFiles.downtimeLog), `${seen.join('\n')}\n`);
    const { result } = (await readRun(quietHost().files, folder)) ?? {};
    assert.ok(result, `${length} lines`);
    assert.deepEqual([result.criteria.filter(({ outcome }) => outcome === 'not-met')], [[]], `${length} lines`);
    assert.equal(result.criteria.find(({ number }) => number === 6)?.outcome === 'met', false, `${length} lines`);
    assert.deepEqual([result.findings.filter(({ id }) => id === 'background-outage')], [[]], `${length} lines`);
  }
});

/** The result of the run with so many bytes of its log. */
async function withoutTail(bytes: number): Promise<void> {
  const kept = readFileSync(join(whole, runFiles.downtimeLog)).subarray(0, bytes).toString();
  const lastAt = kept.slice(0, kept.lastIndexOf('\n')).split('\n').at(-1)?.split(' ')[0] ?? '';
  const run = await readRun(quietHost().files, torn(`log-${bytes}`, { [runFiles.downtimeLog]: bytes }));
  assert.ok(run);
  const unseen = run.result.scenarios.filter(({ window }) => window !== null && window.to > lastAt);
  assert.equal(run.result.verdict === 'pass', unseen.length === 0, `${bytes} bytes`);
  for (const { name, downtime } of unseen)
    assert.ok(downtime === null || downtime.unknown > 0, `${name}, ${bytes} bytes`);
}

test('a log cut at any line decides nothing about the seconds that it does not have', async () => {
  const { length } = readFileSync(join(whole, runFiles.downtimeLog));
  for (let part = 0; part < 12; part += 1) await withoutTail(Math.floor((length * part) / 12) + 7 * (part % 5));
});

test('a folder without a journal has no run: exit 2', () => {
  const folder = join(root, 'nothing');
  mkdirSync(folder);
  copyFileSync(join(whole, runFiles.downtimeLog), join(folder, runFiles.downtimeLog));
  const { status, stderr } = holdfast(['report', folder], root);
  assert.deepEqual([status, /is not a run folder/.test(stderr)], [2, true]);
});
