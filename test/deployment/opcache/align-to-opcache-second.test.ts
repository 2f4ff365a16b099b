import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { earlyInASecond, secondsUntilEarly } from '../../../src/deployment/opcache/align-to-opcache-second.ts';
import type { Run } from '../../../src/deployment/run/run.ts';

test('a reset begins when the first requests of its second have come and three tenths of it are left, and waits for no longer', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (at) => {
      const seconds = secondsUntilEarly(at);
      assert.ok(seconds >= 0 && seconds < 0.351);
      const begins = (at + seconds * 1000) % 1000;
      assert.ok(begins >= 49.999 && begins <= 700.001, `${begins}`);
    }),
  );
});

test('only where the old code is forgotten by FastCGI, and somebody visits, anything is waited for', async () => {
  const waited: number[] = [];
  const clock = { wallAt: () => 900, sleep: async (seconds: number) => void waited.push(seconds) };
  const run = { host: { clock }, interruption: new AbortController().signal } as unknown as Run;
  const fastcgi = { by: 'fastcgi', addresses: ['/a'] } as const;
  const command = { by: 'command', command: ['reload'] } as const;
  for (const means of [command, { ...fastcgi, visited: false }]) await earlyInASecond(run, means);
  assert.deepEqual(waited, []);
  await earlyInASecond(run, { ...fastcgi, visited: true });
  assert.equal(waited.length, 1);
});
