import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { UsageError } from '../../../src/host/errors.ts';
import { nodeFiles } from '../../../src/host/files.ts';
import type { Files } from '../../../src/host/host.ts';
import { threads } from '../../../src/host/thread.ts';
import { analyze, analyzeFiles } from '../../../src/validation/downtime/analyze.ts';
import { inOrder, rotatedLogs } from '../../../src/validation/downtime/rotated-logs.ts';
import { pieceFinder, pieceFinderThread } from '../../../src/validation/downtime-log/log-pieces.ts';
import { holdfast } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const files = nodeFiles();
const start = Date.parse('2026-11-20T10:00:00.203Z');
const header = '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200\n';
/** A bad second in every hundred. */
const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => {
    const status = (from + i) % 100 === 50 ? 503 : 200;
    return `${new Date(start + (from + i) * 1000).toISOString()} ${status} 0.0${10 + ((from + i) % 90)}\n`;
  }).join('');

test('a log of gzip or zstd, and one from standard input, is analyzed as the plain one; half an archive is a mistake', async (t) => {
  const folder = temporaryFolder(t);
  const text = header + lines(0, 500);
  const [plain, gz, zst, half] = ['a.log', 'a.gz', 'a.zst', 'half.gz'].map((name) => join(folder, name));
  if (!plain || !gz || !zst || !half) throw new Error('four paths');
  writeFileSync(plain, text);
  // Archives are appended to each other, as with `cat` and `gzip >>`.
  const pieces = [text.slice(0, 10_000), text.slice(10_000)];
  writeFileSync(gz, Buffer.concat(pieces.map((piece) => gzipSync(piece))));
  writeFileSync(zst, Buffer.concat(pieces.map((piece) => zstdCompressSync(piece))));
  writeFileSync(half, gzipSync(text).subarray(0, 200));
  const expected = await analyze(files, plain);
  assert.equal(expected.outages.length, 5);
  assert.deepEqual(await analyze(files, gz), expected);
  assert.deepEqual(await analyze(files, zst), expected);
  const input = (async function* () {
    yield Buffer.from(text);
  })();
  assert.deepEqual(await analyzeFiles({ files, input }, ['-']), expected);
  await assert.rejects(
    analyze(files, half),
    (error) => error instanceof UsageError && /whole gzip file/.test(error.message),
  );
});

test('the files of a rotated log are one log, whatever their order and names', async (t) => {
  const folder = temporaryFolder(t);
  const text = lines(0, 600);
  writeFileSync(join(folder, 'whole'), header + text);
  const length = lines(0, 1).length;
  const part = (from: number, to: number) => Buffer.from(header + text.slice(from * length, to * length));
  writeFileSync(join(folder, 'downtime.log.2.gz'), gzipSync(part(0, 251)));
  writeFileSync(join(folder, 'downtime.log.1'), part(251, 450));
  writeFileSync(join(folder, 'downtime.log'), part(450, 600));
  appendFileSync(join(folder, 'downtime.log'), '2026-11-20T10:');
  const names = ['downtime.log', 'downtime.log.1', 'downtime.log.2.gz'].map((name) => join(folder, name));
  const groups = rotatedLogs(names);
  assert.deepEqual(
    groups.map(({ name }) => name),
    [join(folder, 'downtime.log')],
  );
  const ordered = await inOrder(files, names);
  assert.deepEqual(ordered, names.toReversed());
  assert.deepEqual(await analyzeFiles({ files }, ordered), await analyze(files, join(folder, 'whole')));
  const { stdout, status } = holdfast(folder, ['analyze', ...names, '--json']);
  assert.equal(status, 1);
  assert.equal(JSON.parse(stdout).outages.length, 6);
});

test('names of rotated files are those of monitor --rotate and of logrotate, other names are other logs', () => {
  const rotated = [
    '1',
    '2.gz',
    '20261120',
    '20261120T100000Z',
    '20261120T100000Z.1.zst',
    '2026-11-20.gz',
    '20261120-1763632800.gz',
  ];
  for (const mark of ['.', '-'])
    assert.deepEqual(
      rotatedLogs(rotated.map((end) => `/var/log/downtime.log${mark}${end}`)).map(({ name }) => name),
      ['/var/log/downtime.log'],
    );
  assert.equal(rotatedLogs(['a.log', 'b.log', 'host-a.log', '-', 'a.log']).length, 4);
});

/** Counts the bytes that are read. */
function counting(of: Files): { readonly files: Files; readonly read: () => number } {
  let bytes = 0;
  const chunks: Files['chunks'] = async function* (path, fromByte) {
    for await (const chunk of of.chunks(path, fromByte)) {
      bytes += chunk.length;
      yield chunk;
    }
  };
  return { files: { ...of, chunks }, read: () => bytes };
}

test('a window of a large log is found by bisection, and threads give the same as one', async (t) => {
  const path = join(temporaryFolder(t), 'large.log');
  const seconds = 2_100_000;
  writeFileSync(path, header);
  for (let from = 0; from < seconds; from += 100_000) {
    // The monitor repeats its header.
    appendFileSync(path, from % 400_000 === 0 ? header : '');
    appendFileSync(path, lines(from, from + 100_000));
  }
  const window = { from: start + 1_500_000_000, to: start + 1_500_300_000 };
  const counted = counting(files);
  const found = await analyze(counted.files, path, window);
  assert.equal(found.log.samples, 300);
  assert.equal(found.outages.length, 3);
  assert.ok(counted.read() < 40_000_000, `${counted.read()} bytes were read`);
  const whole = await analyze(files, path);
  assert.equal(whole.outages.length, seconds / 100);
  assert.deepEqual(await analyze(files, path, {}, { threads: { ...threads, processors: 2 } }), whole);
  const parts = [0, 1_000_003, 2_000_000].map((fromByte) => ({ path, fromByte, toByte: fromByte + 1_000_003 }));
  const settings = { intervalSeconds: 1, timeoutSeconds: 10, slowSeconds: 1, expect: 200 };
  const file = await files.open(path);
  t.after(() => file.close());
  const here = pieceFinder(file, settings);
  const there = await pieceFinderThread(threads, { path, settings });
  for (const part of parts) {
    const pieces = await here(part);
    assert.ok(pieces.length > 500, `${pieces.length} pieces`);
    assert.deepEqual(await there.ask(part), pieces);
  }
  there.end();
});

test('lines before the header that was repeated after a truncation are read with it, of one target and of several', async (t) => {
  const path = join(temporaryFolder(t), 'downtime.log');
  const continued = (text: string) => text.replace('\n', ' continues=yes\n');
  const at = (second: number, rest: string) => `${new Date(start + second * 250).toISOString()} ${rest}\n`;
  const one = header.replace('interval=1s', 'interval=250ms').replace('expect=200', 'expect=301');
  const first = [0, 1].map((second) => at(second, '301 0.004')).join('');
  const rest = [2, 3, 4, 5].map((second) => at(second, second === 4 ? '200 0.004' : '301 0.004')).join('');
  writeFileSync(path, first + continued(one) + first.replaceAll('\n', ' again=yes\n') + rest);
  const { log, outages, targets } = await analyze(files, path);
  assert.deepEqual([log.intervalSeconds, log.samples, log.unknown, targets], [0.25, 6, 0, undefined]);
  assert.deepEqual(
    outages.map(({ seconds, kinds }) => [seconds, kinds]),
    [[0.25, ['200']]],
  );
  const two = header.replace('target=', 'target=http://b/ target-expect=503 target=');
  const both = [0, 4, 8].flatMap((second) => [
    at(second, '503 0.004 target=http://b/'),
    at(second, '200 0.004 target=http://app.example/'),
  ]);
  writeFileSync(path, both.slice(0, 2).join('') + continued(two) + both.slice(2).join(''));
  const several = await analyze(files, path);
  assert.deepEqual([several.log.samples, several.outages], [6, []]);
  writeFileSync(path, both.join(''));
  await assert.rejects(analyze(files, path), /its header is missing/, 'where no header comes at all');
});
