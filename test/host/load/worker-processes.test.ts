import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { merge } from '../../../src/host/load/merge.ts';
import { mostLateStartSeconds } from '../../../src/host/load/worker.ts';
import { outcomeOf, type WorkerEnd } from '../../../src/validation/load-job/outcome.ts';
import { readReport } from '../../../src/validation/load-job/read-report.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const program = join(import.meta.dirname, '../../../bin/holdfast.js');
const plan = { requests: 2001, concurrency: 10, timeoutSeconds: 10 };
const workers = 4;
/** The processes ask for the start ten times a second. */
const leadMs = 1000;

/** A real server on loopback, which keeps when each request came, and which calls `on` with how many there were. */
async function serving(t: TestContext, on: (seen: number) => void = () => {}) {
  let seen = 0;
  const firstAt: { at?: number } = {};
  const server = createServer((_request, response) => {
    firstAt.at ??= Date.now();
    seen += 1;
    on(seen);
    response.end('welcome');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen: () => seen, firstAt };
}

/** Real processes of the program, as the pods of the Job start it, each with the file that its kubelet would write. */
async function started(t: TestContext, url: string) {
  const folder = temporaryFolder(t);
  const all = Array.from({ length: workers }, (_, index) => {
    const [startsAt, report] = [join(folder, `starts-at-${index}`), join(folder, `report-${index}`)];
    writeFileSync(startsAt, '');
    writeFileSync(report, '');
    const flags = [
      `--url=${url}`,
      `--requests=${plan.requests}`,
      `--concurrency=${plan.concurrency}`,
      '--timeout=10s',
      `--workers=${workers}`,
      `--starts-at=${startsAt}`,
      `--report=${report}`,
    ];
    const env = { ...process.env, JOB_COMPLETION_INDEX: `${index}` };
    const child = spawn(process.execPath, [program, 'load-worker', ...flags], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    t.after(() => child.kill('SIGKILL'));
    let log = '';
    child.stdout.on('data', (text) => {
      log += text;
    });
    const waits = once(child.stderr, 'data');
    return {
      child,
      waits,
      log: () => log,
      tell: (at: number) => writeFileSync(startsAt, new Date(at).toISOString()),
      report,
    };
  });
  await Promise.all(all.map(({ waits }) => waits));
  return all;
}

const ended = async (child: ChildProcess) => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return child.exitCode ?? child.signalCode;
};
const endOf = (index: number, log: string): WorkerEnd => {
  const report = readReport(log);
  return report === undefined ? { index, because: 'its log has no report' } : { index, report };
};

test('four worker processes start together, their requests sum to those asked for, and their histograms are added exactly', async (t) => {
  const server = await serving(t);
  const all = await started(t, server.url);
  const startAt = Date.now() + leadMs;
  for (const { tell } of all) tell(startAt);
  assert.deepEqual(await Promise.all(all.map(({ child }) => ended(child))), [0, 0, 0, 0]);
  const outcome = outcomeOf(
    { ...plan, url: server.url },
    workers,
    all.map(({ log }, index) => endOf(index, log())),
    startAt,
  );
  assert.deepEqual([outcome.statuses, outcome.errors, outcome.unsent], [{ 200: 2001 }, {}, undefined]);
  assert.equal(server.seen(), 2001);
  assert.deepEqual([outcome.workers?.sound, outcome.workers?.amiss], [4, []]);
  assert.ok((server.firstAt.at ?? 0) >= startAt, 'nobody begins before the common start');
  assert.ok((outcome.workers?.startSpreadSeconds ?? 9) <= mostLateStartSeconds);
  const reports = all.map(({ log }) => readReport(log()) ?? assert.fail('no report'));
  const steps = new Map<number, number>();
  for (const { histogram } of reports)
    for (const [step, count] of histogram?.steps ?? []) steps.set(step, (steps.get(step) ?? 0) + count);
  const merged = merge(2001, reports as Parameters<typeof merge>[1]);
  assert.deepEqual(new Map(merged?.histogram.steps), new Map([...steps].sort(([a], [b]) => a - b)));
  assert.deepEqual(outcome.percentiles, merged?.percentiles);
});

test('one worker process that is killed and one that is told late are said, and their shares are not sent', async (t) => {
  const server = await serving(t, (seen) => {
    if (seen === 200) all[2]?.child.kill('SIGKILL');
  });
  const all = await started(t, server.url);
  const startAt = Date.now() + leadMs;
  for (const index of [0, 1, 2]) all[index]?.tell(startAt);
  const [, , killed] = await Promise.all([0, 1, 2].map((index) => ended(all[index]?.child as ChildProcess)));
  assert.equal(killed, 'SIGKILL');
  // A kubelet that shows it only now.
  all[3]?.tell(startAt - 1000 * (mostLateStartSeconds + 1));
  assert.equal(await ended(all[3]?.child as ChildProcess), 1);
  const found = all.map(({ log }, index) => endOf(index, log()));
  const outcome = outcomeOf({ ...plan, url: server.url }, workers, found, startAt);
  assert.deepEqual(
    outcome.workers?.amiss.map(({ index, what, requests, unsent }) => [index, what, requests, unsent]),
    [
      [2, 'lost', 500, 500],
      [3, 'late', 500, 500],
    ],
  );
  assert.deepEqual([outcome.statuses, outcome.unsent], [{ 200: 1001 }, 1000]);
});

test('a worker process that is told to end says what it has sent until then', async (t) => {
  const server = await serving(t, (seen) => {
    if (seen === 100) for (const { child } of all) child.kill('SIGTERM');
  });
  const all = await started(t, server.url);
  for (const { tell } of all) tell(Date.now() + leadMs);
  assert.deepEqual(await Promise.all(all.map(({ child }) => ended(child))), [143, 143, 143, 143]);
  const found = all.map(({ log }, index) => endOf(index, log()));
  const { statuses, errors, unsent = 0, workers: seen } = outcomeOf({ ...plan, url: server.url }, workers, found, 0);
  assert.deepEqual(errors, {});
  assert.equal((statuses[200] ?? 0) + unsent, 2001);
  assert.ok((statuses[200] ?? 0) >= 60 && unsent > 0, `${statuses[200]} of 2001`);
  assert.deepEqual(new Set(seen?.amiss.map(({ what }) => what)), new Set(['stopped']));
});
