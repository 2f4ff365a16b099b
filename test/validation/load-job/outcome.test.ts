import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shareOf } from '../../../src/host/load/shares.ts';
import { tally, total } from '../../../src/host/load/tally.ts';
import { reportLine, terminationMessage, type WorkerReport } from '../../../src/host/load/worker.ts';
import { outcomeOf, type WorkerEnd } from '../../../src/validation/load-job/outcome.ts';
import { readReport } from '../../../src/validation/load-job/read-report.ts';

const plan = { url: 'http://app.example.com/', requests: 1000, concurrency: 40, timeoutSeconds: 10 };
const startAt = 1_000_000;

/** A worker's report of that many answers of 200, each with a time of its own. */
function reportOf(index: number, workers: number, over: Partial<WorkerReport> = {}, answered?: number): WorkerReport {
  const { requests } = shareOf(plan, workers, index);
  const counted = tally({ requests, timeoutSeconds: 10 });
  for (let k = 0; k < (answered ?? requests); k += 1) counted.answered(200, 0.001 * (1 + ((index + k * workers) % 97)));
  const { statuses, errors, histogram } = counted.end(startAt, 2);
  const told = { startAt, toldAt: startAt - 3000, startedAt: startAt + 10 * index, seconds: 2 };
  return { holdfast: 'load-worker', version: 1, index, requests, ...told, statuses, errors, histogram, ...over };
}
const ends = (workers: number): WorkerEnd[] =>
  Array.from({ length: workers }, (_, index) => ({ index, pod: `load-${index}`, report: reportOf(index, workers) }));
const asked = ({ statuses, errors, unsent = 0 }: ReturnType<typeof outcomeOf>) =>
  total(statuses) + total(errors as Record<string, number>) + unsent;

test('the load of several workers has the histogram of one worker over the same answers', () => {
  const of = (workers: number) => {
    const { latency, percentiles, statuses, errors } = outcomeOf(plan, workers, ends(workers), startAt);
    return { latency, percentiles, statuses, errors };
  };
  for (const workers of [2, 3, 4, 7, 40]) assert.deepEqual(of(workers), of(1));
});

test('workers that all sent their share are sound, and from their first start to their last is said', () => {
  const { workers, unsent } = outcomeOf(plan, 4, ends(4), startAt);
  assert.deepEqual(
    [workers, unsent],
    [{ asked: 4, sound: 4, startSpreadSeconds: 0.03, untimed: 0, amiss: [] }, undefined],
  );
});

test('a worker that is lost, late, starved or stopped is said, and what it did not send is not sent', () => {
  const [first, , , , fifth] = ends(6);
  const outcome = outcomeOf(
    plan,
    6,
    [
      first as WorkerEnd,
      { index: 1, pod: 'load-1', because: 'its pod was deleted, and left no report' },
      { index: 2, pod: 'load-2', report: reportOf(2, 6, { amiss: 'late', toldAt: startAt + 2500 }, 0) },
      { index: 3, pod: 'load-3', report: reportOf(3, 6, { amiss: 'starved' }, 100) },
      fifth as WorkerEnd,
      { index: 5, pod: 'load-5', report: reportOf(5, 6, { amiss: 'stopped' }, 60) },
    ],
    startAt,
  );
  assert.deepEqual(
    outcome.workers?.amiss.map(({ index, what, requests, unsent }) => [index, what, requests, unsent]),
    [
      [1, 'lost', 167, 167],
      [2, 'late', 167, 167],
      [3, 'starved', 167, 67],
      [5, 'stopped', 166, 106],
    ],
  );
  assert.equal(outcome.unsent, 167 + 167 + 67 + 106);
  assert.equal(asked(outcome), 1000);
  assert.match(outcome.workers?.amiss[1]?.because ?? '', /2\.5 s after/);
});

test('whatever comes back from the workers, every request that was asked for is counted once', () => {
  const end = fc.oneof(
    fc.constant('none' as const),
    fc.constant('twice' as const),
    fc.constant('other' as const),
    fc.nat(300),
  );
  fc.assert(
    fc.property(fc.array(end, { minLength: 1, maxLength: 12 }), (kinds) => {
      const workers = kinds.length;
      const found = kinds.flatMap((kind, index): WorkerEnd[] => {
        if (kind === 'none') return [];
        // A report of another share, and one that comes by two pods.
        if (kind === 'other') return [{ index, report: { ...reportOf(index, workers), index: index + 1 } }];
        if (kind === 'twice')
          return [
            { index, because: 'first' },
            { index, report: reportOf(index, workers) },
          ];
        const { requests } = shareOf(plan, workers, index);
        return [{ index, report: reportOf(index, workers, {}, Math.min(kind, requests)) }];
      });
      const outcome = outcomeOf(plan, workers, found, startAt);
      assert.equal(asked(outcome), plan.requests);
      const unsent = outcome.workers?.amiss.reduce((sum, one) => sum + one.unsent, 0);
      assert.equal(outcome.unsent ?? 0, unsent);
    }),
  );
});

test('without any report nothing was sent', () => {
  const outcome = outcomeOf(plan, 2, [], startAt);
  assert.deepEqual([outcome.unsent, outcome.statuses, outcome.workers?.sound], [1000, {}, 0]);
});

test('a report is read back as it was, from the end of a log and from the termination message', () => {
  const report = reportOf(1, 4);
  assert.deepEqual(readReport(`(node:1) Warning: something\n${reportLine(report)}`), report);
  assert.deepEqual(readReport(terminationMessage(report)), report);
});

test('a report that is too long for the termination message goes without its times, and these are said to be unknown', () => {
  const steps = Array.from({ length: 900 }, (_, step) => [step, 1] as const);
  const long = { ...reportOf(0, 1), statuses: { 200: 900 }, histogram: { steps, maxSeconds: 7 } };
  assert.ok(terminationMessage(long).length <= 4096);
  const report = readReport(terminationMessage(long));
  assert.equal(report?.histogram, null);
  const outcome = outcomeOf(plan, 1, [{ index: 0, report: report as WorkerReport }], startAt);
  assert.deepEqual([outcome.workers?.untimed, outcome.latency, outcome.statuses], [1, [], { 200: 900 }]);
});

test('what is no report, or counts more than it could, is none', () => {
  const report = reportOf(0, 4);
  for (const text of [
    undefined,
    '',
    'panic: something',
    reportLine(report).slice(0, 50),
    JSON.stringify({ ...report, version: 2 }),
    JSON.stringify({ ...report, statuses: { 200: 251 } }),
    JSON.stringify({ ...report, statuses: { 200: -1 } }),
    JSON.stringify({ ...report, histogram: { steps: [[3, 1]], maxSeconds: 1 } }),
  ])
    assert.equal(readReport(text), undefined, text);
});

test('a report of another worker counts for nothing, and is said', () => {
  const [first, second] = ends(2) as [WorkerEnd, WorkerEnd];
  const { workers, unsent } = outcomeOf(plan, 2, [first, { ...second, report: reportOf(0, 2) }], startAt);
  assert.deepEqual([workers?.amiss[0]?.index, workers?.amiss[0]?.what, unsent], [1, 'lost', 500]);
  assert.match(workers?.amiss[0]?.because ?? '', /its report is of worker 0 with 500 requests/);
});
