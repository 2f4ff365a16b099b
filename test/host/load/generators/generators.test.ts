import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { k6Counts, k6Script } from '../../../../src/host/load/generators/k6.ts';
import { ohaCommand, ohaCounts } from '../../../../src/host/load/generators/oha.ts';
import { errorIn } from '../../../../src/host/load/generators/told.ts';
import { vegetaTally } from '../../../../src/host/load/generators/vegeta.ts';
import { nodeHost } from '../../../../src/host/node.ts';
import { whereIs } from '../../../support/needs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const plan = { url: 'http://127.0.0.1:1/', requests: 60, concurrency: 5, timeoutSeconds: 10 };

test('vegeta’s results, as vegeta 12.12 wrote them of a server that it made 60 requests to: 51 × 200, 6 × 503, 3 × reset', () => {
  const tally = vegetaTally();
  const text = readFileSync(join(import.meta.dirname, 'outputs/vegeta-12.12.jsonl'), 'utf8');
  for (const line of text.split('\n')) tally.line(line);
  const { statuses, errors, histogram, startedAt = 0, seconds = 0 } = tally.counts();
  assert.deepEqual([statuses, errors], [{ 200: 51, 503: 6 }, { reset: 3 }]);
  assert.equal(
    histogram?.steps.reduce((sum, [, count]) => sum + count, 0),
    57,
  );
  const latencies = [...text.matchAll(/"code":(\d+).*?"latency":(\d+)/g)].flatMap(([, code, latency]) =>
    code === '0' ? [] : [Number(latency) / 1e9],
  );
  assert.equal(histogram?.maxSeconds, Math.max(...latencies));
  assert.ok(startedAt > Date.parse('2026-11-26T00:00:00Z') && seconds > 0 && seconds < 5);
});

test('a real vegeta makes the requests that were asked for, and its times are a histogram of our steps', async (t) => {
  // It is a Go program, which Debian does not have.
  if (whereIs('vegeta') === undefined) return t.skip('vegeta is not installed');
  const server = createServer((_request, response) => response.end('welcome'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { statuses, errors, unsent, histogram } = await nodeHost().load({ ...plan, url, generator: 'vegeta' });
  assert.deepEqual([statuses, errors, unsent], [{ 200: 60 }, {}, undefined]);
  assert.equal(
    histogram?.steps.reduce((sum, [, count]) => sum + count, 0),
    60,
  );
});

test('oha’s output, in the form of its schema: percentiles, and no histogram that could be added', () => {
  const latencyPercentiles = { p10: 0.001, p50: 0.002, p90: 0.005, p99: 0.02, 'p99.9': 0.03, 'p99.99': 0.03 };
  const output = JSON.stringify({
    summary: { successRate: 0.95, total: 1.25, slowest: 0.04, fastest: 0.001, average: 0.002 },
    responseTimeHistogram: { '0.001': 57 },
    latencyPercentiles,
    statusCodeDistribution: { 200: 51, 503: 6 },
    errorDistribution: { 'Connection refused (os error 111)': 2, 'operation timed out': 1 },
  });
  assert.deepEqual(ohaCounts(output), {
    statuses: { 200: 51, 503: 6 },
    errors: { refused: 2, timeout: 1 },
    histogram: null,
    percentiles: { p50: 0.002, p90: 0.005, p99: 0.02, p999: 0.03, max: 0.04 },
    seconds: 1.25,
  });
  const none = JSON.stringify({ ...JSON.parse(output), latencyPercentiles: { p50: null } });
  assert.equal(ohaCounts(none).percentiles, null);
  const rate = { perSecond: 100, first: 1, every: 4 };
  assert.match(ohaCommand({ ...plan, rate }).join(' '), / -n 60 -c 5 -t 10000ms -q 25 http/);
});

test('k6’s summary, in the form of its documentation: counters by status and error code, percentiles in milliseconds', () => {
  const counter = (count: number) => ({ type: 'counter', contains: 'default', values: { count, rate: 1 } });
  const answered = { 'p(50)': 2, 'p(90)': 5, 'p(99)': 20, 'p(99.9)': 30, max: 40 };
  const summary = {
    state: { isStdOutTTY: false, isStdErrTTY: false, testRunDurationMs: 1250 },
    metrics: {
      http_reqs: counter(60),
      status_200: counter(51),
      status_503: counter(6),
      status_404: counter(0),
      error_1212: counter(1),
      error_1050: counter(1),
      error_1000: counter(1),
      answered: { type: 'trend', contains: 'time', values: answered },
    },
  };
  assert.deepEqual(k6Counts(JSON.stringify(summary)), {
    statuses: { 200: 51, 503: 6 },
    errors: { refused: 1, timeout: 1, other: 1 },
    histogram: null,
    percentiles: { p50: 0.002, p90: 0.005, p99: 0.02, p999: 0.03, max: 0.04 },
    seconds: 1.25,
  });
  assert.match(k6Script(plan), /"executor":"shared-iterations","vus":5,"iterations":60/);
  const open = k6Script({ ...plan, rate: { perSecond: 20, first: 0, every: 2 } });
  assert.match(open, /"executor":"constant-arrival-rate","rate":600,"timeUnit":"1m","duration":"6000ms"/);
});

test('a failure has the kind that its message tells, and none is made up', () => {
  for (const [message, kind] of [
    ['Get "http://x/": dial tcp: lookup x: no such host', 'dns'],
    ['dial tcp 10.0.0.1:80: connect: connection refused', 'refused'],
    ['read tcp 127.0.0.1:1->127.0.0.1:2: read: connection reset by peer', 'reset'],
    ['context deadline exceeded (Client.Timeout exceeded while awaiting headers)', 'timeout'],
    ['dial tcp 10.0.0.1:80: i/o timeout', 'connect-timeout'],
    ['tls: failed to verify certificate: x509: certificate has expired', 'tls'],
    ['dial tcp 10.0.0.1:80: socket: too many open files', 'client'],
    ['http: server closed idle connection', 'closed'],
    ['something else', 'other'],
  ] as const)
    assert.equal(errorIn(message), kind, message);
});

/** A program of that name on the PATH, which prints that text. */
function stub(t: Parameters<typeof temporaryFolder>[0], name: string, text: string, exitCode = 0): void {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, name), `#!/bin/sh\ncat <<'END'\n${text}\nEND\nexit ${exitCode}\n`);
  chmodSync(join(folder, name), 0o755);
  const before = process.env.PATH;
  process.env.PATH = `${folder}:${before}`;
  t.after(() => {
    process.env.PATH = before;
  });
}

test('a generator that is not installed, fails or prints something else is an error that says so', async (t) => {
  const by = (generator: string) => nodeHost().load({ ...plan, generator });
  const before = process.env.PATH;
  process.env.PATH = temporaryFolder(t);
  try {
    await assert.rejects(by('oha'), /oha.*exit code 127[\s\S]*Install oha where the requests are made/);
  } finally {
    process.env.PATH = before;
  }
  stub(t, 'oha', 'not JSON');
  await assert.rejects(by('oha'), /read what was told by oha: it is not the JSON of this generator/);
  stub(t, 'oha', '', 3);
  await assert.rejects(by('oha'), /make the load by oha.*exit code 3/);
});

test('requests that a generator tells nothing of were not sent', async (t) => {
  const told = {
    summary: { total: 1 },
    latencyPercentiles: {},
    statusCodeDistribution: { 200: 40 },
    errorDistribution: {},
  };
  stub(t, 'oha', JSON.stringify(told));
  const { statuses, unsent, percentiles, latency } = await nodeHost().load({ ...plan, generator: 'oha' });
  assert.deepEqual([statuses, unsent, percentiles, latency], [{ 200: 40 }, 20, null, []]);
});
