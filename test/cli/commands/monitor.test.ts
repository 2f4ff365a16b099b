import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSilentServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { freePort } from '../../support/free-port.ts';
import { assertConforms } from '../../support/schema.ts';
import { secrets } from '../../support/secrets.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const holdfast = `${import.meta.dirname}/../../../bin/holdfast.js`;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(...words: readonly string[]): {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly said: () => string;
} {
  const child = spawn(process.execPath, [holdfast, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (piece) => {
      output[stream] += piece;
    });
  }
  return { child, ended: once(child, 'close').then(([code]) => ({ code, ...output })), said: () => output.stderr };
}
const run = (...words: readonly string[]): Promise<Ended> => start(...words).ended;

async function answering(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function eventually(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !isSo(); tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(isSo());
}

test('monitor of a good target exits 0 and prints the analysis', async (t) => {
  const log = `${temporaryFolder(t)}/downtime.log`;
  const url = await answering(t, (_, response) => response.end('ok'));
  const flags = ['--interval', '50ms', '--slow', '10s', '--duration', '1s'];
  const { code, stdout, stderr } = await run('monitor', url, '--log', log, ...flags);
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    /\d+ samples, \d+ unknown[\s\S]*No outage\.[\s\S]*An outage shorter than 50ms may have been missed\./,
  );
  assert.match(
    readFileSync(log, 'utf8'),
    /^# holdfast downtime-log 1 target=http:\/\/127\.0\.0\.1:\d+\/ interval=50ms timeout=10s slow=10s expect=200\n/,
  );
});

test('monitor prints an outage as it happens and exits 1; with --json it prints one document only', async (t) => {
  const log = `${temporaryFolder(t)}/downtime.log`;
  let probes = 0;
  const url = await answering(t, ({ headers }, response) => {
    // Those on a kept connection overtake these at times.
    if (headers.connection === 'close') probes += 1;
    response.writeHead(probes > 3 && probes < 7 ? 503 : 200).end();
  });
  const { child, ended } = start('monitor', url, '--log', log, '--interval', '50ms', '--slow', '10s', '--json');
  await eventually(() => probes > 8);
  child.kill('SIGTERM');
  const { code, stdout, stderr } = await ended;
  assert.equal(code, 1);
  const analysis = JSON.parse(stdout);
  assertConforms('analyze', analysis);
  assert.deepEqual(
    analysis.outages.map(({ kinds }: { kinds: string[] }) => kinds),
    [['503']],
  );
  assert.match(stderr, /^\d\d:\d\d:\d\d\.\d{3} {2}503 {2}\d\.\d{3} s {2}503 {2}http/m);
});

test('monitor prints at its end what `analyze` prints of its log, or of its own part of a longer log', async (t) => {
  const log = `${temporaryFolder(t)}/downtime.log`;
  const url = await answering(t, (_, response) => response.writeHead(503).end());
  const probe = ['monitor', url, '--log', log, '--interval', '200ms', '--duration', '1s', '--json'] as const;
  const monitored = await run(...probe);
  const analyzed = await run('analyze', log, '--json');
  assert.deepEqual(JSON.parse(monitored.stdout), JSON.parse(analyzed.stdout));
  assert.deepEqual(JSON.parse(monitored.stdout).outages.length, 1);
  const whole = readFileSync(log, 'utf8');
  const again = await run(...probe);
  writeFileSync(log, readFileSync(log, 'utf8').slice(whole.length));
  assert.deepEqual(JSON.parse(again.stdout), JSON.parse((await run('analyze', log, '--json')).stdout));
});

test('a running monitor serves metrics for Prometheus', async (t) => {
  const log = `${temporaryFolder(t)}/downtime.log`;
  const url = await answering(t, (_, response) => response.end('ok'));
  const taken = new URL(await answering(t, () => {})).port;
  assert.equal((await run('monitor', url, '--log', log, '--metrics', `:${taken}`)).code, 2);
  assert.equal((await run('monitor', url, '--log', log, '--metrics', 'nine')).code, 2);
  const port = await freePort();
  const { child, ended } = start(
    'monitor',
    url,
    '--log',
    log,
    '--interval',
    '50ms',
    '--max-unknown',
    '100%',
    '--metrics',
    `:${port}`,
  );
  let text = '';
  for (let tries = 0; tries < 500 && !text.includes('result="good"'); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    text = await fetch(`http://127.0.0.1:${port}/metrics`)
      .then((response) => response.text())
      .catch(() => '');
  }
  assert.ok(text.includes(`holdfast_probe_up{target="${url}",connection="new"} 1\n`), text);
  child.kill('SIGTERM');
  assert.equal((await ended).code, 0);
});

test('SIGTERM waits for the probe under way', async (t) => {
  const log = `${temporaryFolder(t)}/downtime.log`;
  const stopping = Promise.withResolvers<void>();
  let asked = false;
  const url = await answering(t, async (_, response) => {
    asked = true;
    await stopping.promise;
    response.end('ok');
  });
  const { child, ended, said } = start('monitor', url, '--log', log, '--slow', '10s');
  await eventually(() => asked);
  child.kill('SIGTERM');
  await eventually(() => said().includes('Stopping after the probes under way'));
  assert.doesNotMatch(readFileSync(log, 'utf8'), / 200 |# end/);
  stopping.resolve();
  const { code } = await ended;
  assert.equal(code, 0);
  assert.match(readFileSync(log, 'utf8'), / 200 \d\.\d{3}\n[\s\S]*# end at=/);
});

test('after a second Ctrl-C the probes under way are logged as unknown, and monitor ends at once', async (t) => {
  const log = `${temporaryFolder(t)}/downtime.log`;
  const silent = createSilentServer();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  let connections = 0;
  silent.on('connection', (socket) => {
    connections += 1;
    t.after(() => socket.destroy());
  });
  t.after(() => silent.close());
  const { child, ended, said } = start(
    'monitor',
    `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`,
    '--log',
    log,
    '--timeout',
    '60s',
  );
  await eventually(() => connections >= 2);
  child.kill('SIGINT');
  await eventually(() => said().includes('Ctrl-C again'));
  const begun = performance.now();
  child.kill('SIGINT');
  const { code } = await ended;
  assert.ok(performance.now() - begun < 30_000, 'it did not wait for the timeout of a minute');
  assert.equal(code, 1);
  const written = readFileSync(log, 'utf8');
  assert.match(written, /^# holdfast downtime-log 1 \S+ interval=1s timeout=1m slow=1s expect=200\n/);
  assert.match(written, /# unknown 1 from=\S+Z reason=stopped\n[\s\S]*# end at=/);
});

test('all mistakes of the command are reported at once, one sentence each', async () => {
  const { code, stdout, stderr } = await run(
    'monitor',
    'ftp://a/',
    '--interval',
    '0s',
    '--duration',
    'long',
    '--expect',
    '99',
    '--target',
    `http://user:${secrets.addressPassword}@b/`,
  );
  assert.equal(code, 2);
  assert.equal(stdout, '');
  assert.equal(stderr.trim().split('\n').length, 5, stderr);
  assert.ok(!stderr.includes(secrets.addressPassword), stderr);
  assert.doesNotMatch(stderr, / {4}at /);
});

test('an unwritable log is a mistake, and nothing is probed', async () => {
  const { code, stderr } = await run('monitor', 'http://127.0.0.1:1/', '--log', '/no/such/folder/downtime.log');
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^holdfast: the downtime log cannot be written: .*\/no\/such\/folder\/downtime\.log: no such file or folder \(ENOENT\); name another file with --log\.\n$/,
  );
});

const LOG = [
  '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200',
  '2026-11-20T10:00:00.203Z 200 0.012',
  '2026-11-20T10:00:01.203Z 503 0.004 body=no',
  '2026-11-20T10:00:02.203Z 000 10.000 error=timeout',
  '2026-11-20T10:00:03.203Z 200 1.200',
  '2026-11-20T10:00:04.203Z 200 0.012\n',
].join('\n');

test('analyze prints a table of at most 80 columns or one JSON document, and exits 1 if there was an outage', async (t) => {
  const path = `${temporaryFolder(t)}/a.log`;
  writeFileSync(path, LOG);
  const { code, stdout } = await run('analyze', path);
  assert.equal(code, 1);
  const lines = stdout.replace(path, 'a.log').split('\n');
  assert.deepEqual(lines, [
    'a.log, a downtime log of holdfast: a probe every 1s, 5 % may be unknown',
    '2026-11-20 10:00:00.203 to 2026-11-20 10:00:04.203 UTC, 5 samples, 0 unknown',
    'latency  p50 0.012  p90 1.200  p99 1.200  max 1.200 s',
    '',
    'Outage from (UTC)        Downtime         Requests    Bad  Kind',
    '2026-11-20 10:00:01.203  2.0–4.0 s        all           3  503, timeout, slow',
    '',
    '2.0–4.0 s of downtime.',
    'Availability 20 to 60 %.',
    'An outage shorter than 1s may have been missed.',
    '',
  ]);
  assert.ok(lines.every((line) => line.length <= 80));
  const json = await run('analyze', path, '--json', '--slow', '2s');
  assert.equal(json.code, 1);
  assertConforms('analyze', JSON.parse(json.stdout));
  assert.deepEqual(JSON.parse(json.stdout).outages[0].kinds, ['503', 'timeout']);
});

test('a slow reader gets a long document completely', async (t) => {
  const path = `${temporaryFolder(t)}/a.log`;
  const line = (second: number) =>
    `${new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()} ${second % 2 === 0 ? 200 : 503} 0.012\n`;
  writeFileSync(path, `${LOG.split('\n')[0]}\n${Array.from({ length: 20_000 }, (_, i) => line(i)).join('')}`);
  const { stdout } = await run('analyze', path, '--json');
  assert.equal(JSON.parse(stdout).outages.length, 10_000);
});

test('analyze of a part without an outage exits 0; times without an offset are UTC', async (t) => {
  const path = `${temporaryFolder(t)}/a.log`;
  writeFileSync(path, LOG);
  for (const from of ['2026-11-20T10:00:04', '2026-11-20T10:00:04Z', '2026-11-20T11:00:04+01:00']) {
    const { code, stdout } = await run('analyze', path, '--from', from);
    assert.equal(code, 0, from);
    assert.match(stdout, / 1 samples, [\s\S]*No outage\./);
  }
  assert.equal((await run('analyze', path, '--to', '2026-11-20T10:00:01Z')).code, 0);
});

test('analyze exits 2 with one sentence for a file that is not a log, and for an invalid time', async () => {
  for (const words of [['/etc/passwd'], ['/no/such/log'], ['/tmp'], ['/etc/passwd', '--from', 'yesterday']]) {
    const { code, stdout, stderr } = await run('analyze', ...words);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^holdfast: [^\n]+\n$/);
  }
});

test('control characters in a log do not reach the terminal', async (t) => {
  const path = `${temporaryFolder(t)}/a.log`;
  const evil = 'http://a/\u001b[2J';
  writeFileSync(
    path,
    LOG.replace('target=http://app.example/', `target=${evil} target=http://b/`).replaceAll(
      '503 0.004',
      `503 0.004 target=${evil}`,
    ),
  );
  const { stdout } = await run('analyze', path);
  assert.ok(stdout.includes('http://a/') && !stdout.includes('\u001b'));
});

test('where another program rotated the log, monitor says so and its exit code is of all that it saw', async (t) => {
  const log = `${temporaryFolder(t)}/downtime.log`;
  let [probes, status] = [0, 503];
  const url = await answering(t, (_, response) => {
    probes += 1;
    response.writeHead(status).end('ok');
  });
  const { child, ended } = start('monitor', url, '--log', log, '--interval', '50ms', '--slow', '10s');
  await eventually(() => probes > 6);
  status = 200;
  await eventually(() => probes > 12);
  renameSync(log, `${log}.1`);
  await eventually(() => existsSync(log) && / 200 /.test(readFileSync(log, 'utf8').replaceAll(/^.*again=yes$/gm, '')));
  child.kill('SIGTERM');
  const { code, stderr, stdout } = await ended;
  assert.match(
    stderr,
    /Another program took lines out of \S+downtime\.log: what follows is of the rest\. analyze \S+downtime\.log\* reads/,
  );
  assert.match(stdout, /\d+ samples/);
  assert.equal(code, 1);
  assert.equal((await run('analyze', log, `${log}.1`)).code, 1);
});

test('with --no-reused there are no probes on kept connections', async (t) => {
  const log = `${temporaryFolder(t)}/downtime.log`;
  const url = await answering(t, (_, response) => response.end('ok'));
  const flags = ['--no-reused', '--interval', '50ms', '--slow', '10s', '--duration', '300ms'];
  assert.equal((await run('monitor', url, '--log', log, ...flags)).code, 0);
  assert.match(readFileSync(log, 'utf8'), / 200 /);
  assert.doesNotMatch(readFileSync(log, 'utf8'), /connection=reused/);
});

test('--log - writes the log to standard output alone, and the exit code says whether there was an outage', async (t) => {
  let status = 200;
  const url = await answering(t, (_request, response) => response.writeHead(status).end('Welcome home'));
  const words = ['monitor', url, '--quiet', '--log', '-', '--interval', '200ms', '--duration', '1s'];
  const good = await run(...words, '--body', 'Welcome');
  assert.equal(good.code, 0, good.stderr);
  const lines = good.stdout.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^# holdfast downtime-log 1 target=http/);
  assert.match(lines.at(-1) ?? '', /^# end /);
  assert.ok(lines.slice(1, -1).every((line) => /^\S+Z 200 /.test(line)) && lines.length >= 6);
  assert.equal(good.stderr, '');
  assert.equal((await run(...words, '--body', 'Goodbye')).code, 1);
  status = 503;
  assert.equal((await run(...words)).code, 1);
  const wrong = await run(...words, '--rotate', 'daily', '--json');
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /--rotate begins new files, and --log - writes none/);
  assert.match(wrong.stderr, /--json prints one document, and --log - the log/);
});

test('a monitor whose log nobody reads any more ends at once, and says so', async (t) => {
  const url = await answering(t, (_request, response) => response.end('ok'));
  const { child, ended } = start('monitor', url, '--quiet', '--log', '-', '--interval', '100ms');
  child.stdout?.once('data', () => child.stdout?.destroy());
  const { code, stderr } = await ended;
  assert.equal(code, 1);
  assert.match(stderr, /nobody reads it any more/);
});
