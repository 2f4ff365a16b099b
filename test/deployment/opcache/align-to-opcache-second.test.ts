import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { alignToOpcacheSecond, secondsUntilAligned } from '../../../src/deployment/opcache/align-to-opcache-second.ts';
import type { Run } from '../../../src/deployment/run/run.ts';

test('a reset begins after the first requests of a second and with 0.3 s of it left, and waits no longer than that', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (at) => {
      const seconds = secondsUntilAligned(at);
      assert.ok(seconds >= 0 && seconds < 0.351);
      const begins = (at + seconds * 1000) % 1000;
      assert.ok(begins >= 49.999 && begins <= 700.001, `${begins}`);
    }),
  );
});

test('only a reset by FastCGI with visitors on the site is aligned to a second', async () => {
  const waited: number[] = [];
  const clock = { wallAt: () => 900, sleep: async (seconds: number) => void waited.push(seconds) };
  const run = { host: { clock }, interruption: new AbortController().signal } as unknown as Run;
  const fastcgi = { by: 'fastcgi', caches: [{ addresses: ['/a'] }], warnings: [] } as const;
  const command = { by: 'command', command: ['reload'] } as const;
  for (const means of [command, { ...fastcgi, visited: false }]) await alignToOpcacheSecond(run, means);
  assert.deepEqual(waited, []);
  await alignToOpcacheSecond(run, { ...fastcgi, visited: true });
  assert.equal(waited.length, 1);
});
