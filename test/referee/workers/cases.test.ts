import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoadRecorded, WorkerAmiss } from '../../../src/validation/record/load-recorded.ts';
import { type Case, cases, mistakesOf } from './cases.ts';
import { workersTable } from './table.ts';

const loadOf = (
  statuses: Readonly<Record<string, number>>,
  unsent: number,
  amiss: readonly WorkerAmiss[],
): LoadRecorded => ({
  startedAt: 0,
  seconds: 40,
  statuses,
  errors: {},
  latency: [],
  percentiles: null,
  unsent,
  workers: { asked: 4, sound: 4 - amiss.length, startSpreadSeconds: 0.1, untimed: 0, amiss },
});
const killed = { index: 1, what: 'lost', because: 'its pod ended without a report (exit code 137, Error)' } as const;
const deleted = { index: 2, what: 'stopped', because: 'its pod was stopped before it had sent its share' } as const;
const frozen = { index: 3, what: 'late', because: 'it was told the common start 2.9 s after it' } as const;
const share = { requests: 5000 };

test('a load whose workers were disturbed is as expected only if every request is counted once and every worker named', () => {
  const amiss = [
    { ...killed, ...share, unsent: 5000 },
    { ...deleted, ...share, unsent: 3200 },
    { ...frozen, ...share, unsent: 5000 },
  ];
  const { disturbed, undisturbed } = cases as Record<string, Case>;
  const said = (one: Case | undefined, load: LoadRecorded | undefined) => mistakesOf(one ?? { expected: {} }, load);
  assert.deepEqual(said(disturbed, loadOf({ 200: 6800 }, 13_200, amiss)), []);
  assert.deepEqual(said(undisturbed, loadOf({ 200: 20_000 }, 0, [])), []);
  assert.deepEqual(said(disturbed, loadOf({ 200: 6801 }, 13_200, amiss)), [
    'answers, failures and requests not sent: 20001, and not 20000',
  ]);
  const kinder = amiss.map((one) => (one.index === 1 ? { ...one, unsent: 2000 } : one));
  assert.deepEqual(said(disturbed, loadOf({ 200: 9800 }, 10_200, kinder)), ['of worker 1 2000 of 5000 are not sent']);
  assert.match(said(disturbed, loadOf({ 200: 20_000 }, 0, [])).join('\n'), /workers that did not: , and not 1,2,3/);
  assert.deepEqual(said(disturbed, undefined), ['the report has no load by workers']);
  const row = workersTable([
    { name: 'disturbed', exitCode: 1, load: loadOf({ 200: 6800 }, 13_200, amiss), mistakes: [], changed: [] },
  ]);
  assert.match(row, /\| disturbed \| 6800 × 200 \| 0 \| 13200 \| 20000 \| 1 of 4, within 0\.100 s \| 1 lost: /);
});
