import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Host } from '../../src/host/host.ts';
import { startMonitor } from '../../src/validation/monitor.ts';
import { withoutProberTrouble } from '../../src/validation/prober-trouble.ts';
import { downtimeWithin, readDowntimeLog } from '../../src/validation/read-downtime-log.ts';
import { type Script, scriptedHost, TEN } from '../support/scripted-host.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bad = (at: number) => ({ at, millis: 5, kind: '503' }) as const;
const good = (at: number) => ({ at, millis: 5 });

test('a bad sample within an interval of a bad one of the control target is unknown', () => {
  const ticks = [good(0), bad(1000), bad(2000), bad(5000), good(6000)];
  assert.deepEqual(withoutProberTrouble(ticks, [good(500), bad(1500), bad(6500)], 1), [
    good(0),
    { at: 1000, unknownTicks: 1 },
    { at: 2000, unknownTicks: 1 },
    bad(5000),
    good(6000),
  ]);
  assert.deepEqual(withoutProberTrouble(ticks, [good(500)], 1), ticks);
});

test('downtime of the application alone counts, what hits the control target too is unknown; the log says which is which', async (t) => {
  const within = (at: number, from: number, to: number) => at >= TEN + from * 1000 && at < TEN + to * 1000;
  const script: Script = (at, { url }) => {
    const everywhere = within(at, 60, 65);
    const ours = url === 'http://app.example/' && within(at, 20, 25);
    return everywhere || ours ? { status: 0, seconds: 0.01, error: 'refused' } : { status: 200, seconds: 0.01 };
  };
  const host = scriptedHost(t, script);
  const path = join(temporaryFolder(t), 'downtime.log');
  await host.clock.run(async () => {
    const monitor = await startMonitor(
      host as unknown as Host,
      {
        targets: [{ url: 'http://app.example/' }],
        control: { url: 'http://control.example/' },
        intervalSeconds: 1,
        timeoutSeconds: 10,
        slowSeconds: 1,
        expect: 200,
        reused: false,
      },
      path,
    );
    await host.clock.sleep(100);
    assert.ok(monitor.goodInARow(0) >= 30);
    await monitor.stop();
  });
  const log = await readDowntimeLog(host.files, path);
  assert.equal(log.settings?.control, 'http://control.example/');
  assert.deepEqual(log.settings?.targets, ['http://app.example/']);
  const { outages, downtime } = downtimeWithin(log);
  assert.equal(outages.length, 1);
  assert.equal(outages[0]?.samples, 5);
  assert.equal(downtime.unknown, 5);
});
