import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Host, Sample } from '../../../src/host/host.ts';
import { type Monitor, startMonitor } from '../../../src/validation/monitor/monitor.ts';
import type { MonitorSettings } from '../../../src/validation/monitor/monitor-settings.ts';
import { type Script, scriptedHost } from '../../support/scripted-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const usual: MonitorSettings = {
  targets: [{ url: 'http://app.example/' }],
  intervalSeconds: 1,
  edgesSeconds: 0.1,
  timeoutSeconds: 10,
  slowSeconds: 1,
  expect: 200,
  reused: false,
};
const good: Script = () => ({ status: 200, seconds: 0.012 });

async function monitored(
  t: TestContext,
  script: Script,
  course: (monitor: Monitor, sleep: (seconds: number) => Promise<void>) => Promise<void>,
  over: Partial<MonitorSettings> = {},
) {
  const host = scriptedHost(t, script);
  const path = `${temporaryFolder(t)}/downtime.log`;
  const samples: Sample[] = [];
  await host.clock.run(async () => {
    const monitor = await startMonitor(host as unknown as Host, { ...usual, ...over }, path, (sample) =>
      samples.push(sample),
    );
    await course(monitor, (seconds) => host.clock.sleep(seconds));
    await monitor.stop();
  });
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const edges = lines.filter((line) => line.includes(' probe=edge'));
  return { lines, edges, others: lines.filter((line) => !line.includes(' probe=edge')), samples };
}
const starts = (lines: readonly string[]) => lines.map((line) => Date.parse(line.split(' ')[0] ?? ''));

test('while they are wanted ten edges a second are in the log, and the lines each second are what they are without', async (t) => {
  const { lines, edges, others, samples } = await monitored(t, good, async (monitor, sleep) => {
    await sleep(10);
    monitor.edges(true);
    await sleep(20);
    monitor.edges(false);
    await sleep(10);
  });
  assert.match(lines[0] ?? '', / interval=1s edges=100ms timeout=10s /);
  assert.ok(Math.abs(edges.length - 200) <= 1, `${edges.length} edges`);
  const times = starts(edges);
  assert.ok(times.every((at, index) => index === 0 || at - (times[index - 1] ?? 0) === 100));
  const without = await monitored(t, good, (_, sleep) => sleep(40), { edgesSeconds: 0 });
  assert.deepEqual(others.slice(1), without.lines.slice(1));
  assert.equal(samples.length, 40, 'edges are not passed on');
});

test('the edges of several targets name them, and go to none that is a control', async (t) => {
  const both = [{ url: 'http://a/' }, { url: 'http://b/' }] as const;
  const over = { targets: both, control: { url: 'http://control/' } };
  const run = async (monitor: Monitor, sleep: (seconds: number) => Promise<void>) => {
    monitor.edges(true);
    await sleep(5);
  };
  const { edges } = await monitored(t, good, run, over);
  const of = (url: string) => edges.filter((line) => line.endsWith(`target=${url}`)).length;
  assert.ok(of('http://a/') >= 49 && of('http://b/') >= 49);
  assert.equal(of('http://control/'), 0);
});

test('a target that answers 429 to an edge gets no more of them; that answer is no sample', async (t) => {
  const limited: Script = () => ({ status: asked++ < 31 ? 200 : 429, seconds: 0.01 });
  let asked = 0;
  const onEdges: Script = (at, target, connection) =>
    edgesOn && at % 1000 !== phase ? limited(at, target, connection) : good(at, target, connection);
  let [edgesOn, phase] = [false, 0];
  const { edges, lines } = await monitored(t, onEdges, async (monitor, sleep) => {
    await sleep(2);
    phase = 112;
    edgesOn = true;
    monitor.edges(true);
    await sleep(10);
    monitor.edges(false);
    monitor.edges(true);
    await sleep(10);
  });
  assert.ok(edges.length <= 31 && edges.length >= 27, `${edges.length} edges`);
  assert.ok(!edges.some((line) => line.includes(' 429 ')));
  assert.equal(lines.filter((line) => line === '# edges-off reason=status-429').length, 1);
});

test('edges that are forbidden before they begin are never made, and the log says why once', async (t) => {
  const { edges, lines } = await monitored(t, good, async (monitor, sleep) => {
    monitor.forbidEdges('limit-rps');
    monitor.edges(true);
    monitor.forbidEdges('limit-rps');
    await sleep(5);
  });
  assert.deepEqual([edges.length, lines.filter((line) => line === '# edges-off reason=limit-rps').length], [0, 1]);
});

test('a bad edge is written at once, with those before it, and abandoned ones are not in the log', async (t) => {
  const hanging: Script = (at) => ({ status: at % 10_000 < 5000 ? 200 : 0, seconds: at % 10_000 < 5000 ? 0.01 : 9 });
  const { lines } = await monitored(t, hanging, async (monitor, sleep) => {
    monitor.edges(true);
    await sleep(8);
    monitor.abandon();
  });
  assert.equal(lines.filter((line) => line.startsWith('# unknown')).length, 3);
});
