import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { nodeFiles } from '../../src/host/files.ts';
import { writeReports } from '../../src/report/write-reports.ts';
import { at } from '../support/changes.ts';
import { richFacts, richResult } from '../support/rich-run.ts';

const root = mkdtempSync(join(tmpdir(), 'holdfast-reports-'));
after(() => rmSync(root, { recursive: true }));
const folder = (): string => mkdtempSync(join(root, 'run-'));
const run = { facts: richFacts, result: richResult };

test('every report is written, and written again to the same bytes', async () => {
  const here = folder();
  const line = (second: number) => `${new Date(at(second)).toISOString()} 200 0.012\n`;
  const header = '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200\n';
  writeFileSync(join(here, 'downtime.log'), header + Array.from({ length: 300 }, (_, second) => line(second)).join(''));
  await writeReports(nodeFiles(), here, run);
  const texts = () =>
    ['junit.xml', 'report.html', 'report.json', 'report.md'].map((name) => readFileSync(join(here, name), 'utf8'));
  const first = texts();
  assert.deepEqual(readdirSync(here), ['downtime.log', 'junit.xml', 'report.html', 'report.json', 'report.md']);
  assert.match(first[1] ?? '', /The run in time/);
  await writeReports(nodeFiles(), here, run);
  assert.deepEqual(texts(), first);
});

test('a run without a downtime log has all reports', async () => {
  const here = folder();
  await writeReports(nodeFiles(), here, run);
  assert.doesNotMatch(readFileSync(join(here, 'report.html'), 'utf8'), /The run in time/);
});
