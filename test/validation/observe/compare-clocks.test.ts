import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { virtualClock } from '../../../packages/embedded-cluster/src/time/clock.ts';
import type { ClusterClient } from '../../../src/cluster/client.ts';
import { OperationError } from '../../../src/host/errors.ts';
import { compareClocks } from '../../../src/validation/observe/compare-clocks.ts';
import type { Site } from '../../../src/validation/site.ts';

/** A server whose clock is ahead by that, and whose `Date` has whole seconds; each way takes so long. */
function serverAhead(seconds: number, waySeconds: number) {
  const clock = virtualClock(Date.parse('2026-11-20T10:00:00.337Z'));
  let asked = 0;
  const clockOffset: ClusterClient['clockOffset'] = async () => {
    asked += 1;
    const askedAt = clock.wallAt();
    await clock.sleep(waySeconds);
    const date = Math.floor(clock.wallAt() / 1000 + seconds);
    await clock.sleep(waySeconds);
    const way = (clock.wallAt() - askedAt) / 1000;
    return { offsetSeconds: date + 0.5 - (askedAt / 1000 + way / 2), uncertaintySeconds: way / 2 + 0.5 };
  };
  const site = { cluster: { clockOffset }, host: { clock } } as unknown as Site;
  return { clock, asked: () => asked, compare: () => compareClocks(site, new AbortController().signal) };
}

test('the offset of any clock is found to 60 ms in at most ten questions, and is between its bounds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.integer({ min: 1, max: 8 }),
      async (ahead, way) => {
        const server = serverAhead(ahead, way / 1000);
        const found = await server.clock.run(server.compare);
        server.clock.close();
        assert.ok(found);
        assert.ok(found.uncertaintySeconds <= 0.06, `± ${found.uncertaintySeconds}`);
        assert.ok(Math.abs(found.offsetSeconds - ahead) <= found.uncertaintySeconds + 0.002, `${found.offsetSeconds}`);
        assert.ok(server.asked() <= 10);
      },
    ),
    { numRuns: 100 },
  );
});

test('without an answer the clocks are not compared', async () => {
  const refused = async () => {
    throw new OperationError({ tried: 'read the clock of', on: 'https://10.0.0.1', reason: 'no answer' });
  };
  const site = { cluster: { clockOffset: refused }, host: { clock: virtualClock(0) } } as unknown as Site;
  assert.equal(await compareClocks(site, new AbortController().signal), undefined);
});
