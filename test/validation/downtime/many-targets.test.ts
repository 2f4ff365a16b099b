import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryFiles } from '../../../src/host/memory-files.ts';
import { analyze } from '../../../src/validation/downtime/analyze.ts';
import { formatHeader } from '../../../src/validation/downtime-log/downtime-log.ts';
import { logScanner } from '../../../src/validation/downtime-log/log-scanner.ts';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const targets = Array.from({ length: 5000 }, (_, index) => `http://app-${index}.example.com/health`);
const header = formatHeader({ targets, intervalSeconds: 1, timeoutSeconds: 10, slowSeconds: 1, expect: 200 });

test('of five thousand targets each has its outages: the line that names them all is read whole', async () => {
  const lines = [0, 1, 2, 3].flatMap((second) =>
    targets.map((target, index) => {
      const at = new Date(START + 1000 * second + Math.floor(index / 5)).toISOString();
      return `${at} ${second === 2 && index % 100 === 99 ? '503' : '200'} 0.004 target=${target}\n`;
    }),
  );
  const files = memoryFiles();
  await files.replace('downtime.log', header + lines.join(''));
  const { outages, log, targets: each } = await analyze(files, 'downtime.log');
  assert.equal(log.samples, 20_000);
  assert.equal(each?.length, 5000);
  assert.deepEqual(
    outages.map(({ target }) => target).toSorted(),
    targets.filter((_, index) => index % 100 === 99).toSorted(),
  );
});

test('such a line may come in pieces, and an endless one that is none keeps little', () => {
  const others: string[] = [];
  const scanner = logScanner({ sample: () => {}, other: (line) => others.push(line) });
  for (let at = 0; at < header.length; at += 10_000) scanner.push(Buffer.from(header.slice(at, at + 10_000)));
  const rubbish = Buffer.alloc(1024 * 1024, 'x');
  for (let piece = 0; piece < 8; piece += 1) scanner.push(rubbish);
  scanner.push(Buffer.from('\n'));
  assert.equal(`${others[0]}\n`, header);
  assert.ok(others.slice(1).every((line) => line.length <= 16_384));
});
