import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { nodeFiles } from '../../../src/host/files.ts';
import type { Host } from '../../../src/host/host.ts';
import { analyze } from '../../../src/validation/downtime/analyze.ts';
import {
  downtimeLogReader,
  downtimeWithin,
  readDowntimeLog,
} from '../../../src/validation/downtime/read-downtime-log.ts';
import { startMonitor } from '../../../src/validation/monitor/monitor.ts';
import { type Script, scriptedHost, TEN } from '../../support/scripted-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const CONTROL = 'http://control.example/';
const HEADER = `# holdfast downtime-log 1 target=http://app.example/ control=${CONTROL} interval=1s timeout=10s slow=1s expect=200\n`;

interface Line {
  readonly at: number;
  readonly isGood: boolean;
}
const textOf = (lines: readonly Line[], target = '') =>
  lines.map(({ at, isGood }) => ({
    at,
    text: `${new Date(TEN + at).toISOString()} ${isGood ? '200' : '503'} 0.005${target}\n`,
  }));
const logOf = (lines: readonly Line[], control: readonly Line[]) =>
  HEADER +
  [...textOf(lines), ...textOf(control, ` target=${CONTROL}`)]
    .toSorted((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join('');

function readBack(text: string) {
  const reader = downtimeLogReader();
  reader.push(Buffer.from(text));
  return reader.end();
}

test('a bad sample within an interval of a bad one of the control target is unknown, every other one stays as it was', async (t) => {
  const path = join(temporaryFolder(t), 'downtime.log');
  const anyLines = fc
    .uniqueArray(fc.nat(24), { maxLength: 16 })
    .chain((starts) =>
      fc.tuple(
        ...starts.toSorted((a, b) => a - b).map((at) => fc.record({ at: fc.constant(250 * at), isGood: fc.boolean() })),
      ),
    );
  await fc.assert(
    fc.asyncProperty(anyLines, anyLines, async (lines, control) => {
      const troubles = control.filter(({ isGood }) => !isGood);
      const expected = lines.map(({ at, isGood }) => {
        if (isGood) return { at: TEN + at, millis: 5 };
        if (troubles.some((trouble) => Math.abs(trouble.at - at) <= 1000)) return { at: TEN + at, unknownTicks: 1 };
        return { at: TEN + at, millis: 5, kind: '503' };
      });
      const text = logOf(lines, control);
      assert.deepEqual(readBack(text).ticks, expected);
      const known = lines.length - expected.filter((tick) => 'unknownTicks' in tick).length;
      if (known === 0) return;
      writeFileSync(path, text);
      const [analysis, report] = [await analyze(nodeFiles(), path), downtimeWithin(readBack(text))];
      const { samples, unknown, unknownSeconds: _, bad: __, ...downtime } = report.downtime;
      assert.deepEqual(analysis.downtime, downtime);
      assert.deepEqual(
        [analysis.log.samples, analysis.log.unknown],
        [samples, unknown],
        'analyze says what the report says',
      );
    }),
    { numRuns: 150 },
  );
});

test('answers of the control target count neither for the latency nor for the end of the log', async (t) => {
  const path = join(temporaryFolder(t), 'downtime.log');
  const ours = textOf([0, 1000, 2000].map((at) => ({ at, isGood: true })));
  const controls = `${new Date(TEN + 2500).toISOString()} 200 0.900 target=${CONTROL}\n`;
  writeFileSync(path, HEADER + ours.map(({ text }) => text).join('') + controls.repeat(3));
  const { log, latency } = await analyze(nodeFiles(), path);
  assert.deepEqual([log.to, log.samples, latency.max], [new Date(TEN + 2000).toISOString(), 3, 0.005]);
});

test('downtime of the application alone counts, downtime that hits the control target too is unknown', async (t) => {
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
