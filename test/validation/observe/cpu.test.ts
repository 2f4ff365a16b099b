import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock } from '../../../packages/embedded-cluster/src/time/clock.ts';
import type { ClusterClient } from '../../../src/cluster/client.ts';
import { ApiError } from '../../../src/cluster/cluster.ts';
import { observeCpu } from '../../../src/validation/observe/cpu.ts';
import type { Observing } from '../../../src/validation/observe/observation.ts';
import type { Observed } from '../../../src/validation/record/observed.ts';
import { settings } from '../../support/measured.ts';
import { podOn } from '../../support/objects.ts';

const start = Date.parse('2026-11-20T10:00:00Z');
const limited = {
  ...podOn('a', { name: 'p' }),
  spec: { containers: [{ name: 'nginx', image: 'nginx', resources: { limits: { cpu: '250m' } } }] },
};

/** Observes for a minute; `list` gives the metrics at each second. */
async function watch(list: (seconds: number) => readonly object[]): Promise<readonly Observed[]> {
  const clock = virtualClock(start);
  const seen: Observed[] = [];
  await clock.run(async () => {
    const ending = new AbortController();
    const cluster = { list: async () => list((clock.wallAt() - start) / 1000) } as unknown as ClusterClient;
    const timeline = { now: () => ({ pods: [limited] }) };
    const run = { site: { host: { clock }, cluster }, settings, timeline } as unknown as Observing;
    const watching = observeCpu(run, (one) => void seen.push(one), ending.signal);
    await clock.sleep(60);
    ending.abort();
    await watching;
  });
  clock.close();
  return seen;
}

const metrics = (seconds: number, cpu: string, name = 'p') => ({
  metadata: { name },
  timestamp: new Date(start + 1000 * seconds).toISOString(),
  window: '15s',
  containers: [
    { name: 'nginx', usage: { cpu } },
    { name: 'sidecar', usage: { cpu: '1m' } },
  ],
});

test('each measurement of metrics-server is reported once, with the pod’s own limit', async () => {
  const seen = await watch((seconds) => [metrics(15 * Math.floor(seconds / 15), `${Math.floor(seconds / 15)}m`)]);
  assert.deepEqual(
    seen.map((one) => one.type === 'cpu-seen' && one.pods[0]?.millicores),
    [1, 2, 3, 4],
  );
  assert.deepEqual(seen[0], {
    type: 'cpu-seen',
    measuredAt: start,
    windowSeconds: 15,
    pods: [{ name: 'p', millicores: 1, limitMillicores: 250 }],
  });
});

test('a pod has no limit if one of its containers has none, or if it is not known', async () => {
  const [seen] = await watch(() => [metrics(0, '5m', 'unknown')]);
  assert.ok(seen?.type === 'cpu-seen');
  assert.equal(seen.pods[0]?.limitMillicores, null);
});

test('the window is the longest of the pods’, and absent if it cannot be read', async () => {
  const windows = (...texts: readonly string[]) => texts.map((window) => ({ ...metrics(0, '5m'), window }));
  const [seen] = await watch(() => windows('15.2s', '5m0s', 'some'));
  assert.equal(seen?.type === 'cpu-seen' && seen.windowSeconds, 300);
  const [untold] = await watch(() => windows('some'));
  assert.deepEqual(untold && 'windowSeconds' in untold, false);
});

test('a missing metrics API is reported once, and nothing is reported before the first measurement', async () => {
  const refused = { tried: 'list', on: 'PodMetrics', status: 404, reason: 'NotFound', message: 'no such resource' };
  const seen = await watch(() => {
    throw new ApiError(refused);
  });
  assert.deepEqual(
    seen.map(({ type }) => type),
    ['cpu-not-measured'],
  );
  assert.deepEqual(await watch(() => []), []);
});
