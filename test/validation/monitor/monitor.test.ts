import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { OperationError } from '../../../src/host/errors.ts';
import type { Host, Sample } from '../../../src/host/host.ts';
import { type Monitor, startMonitor } from '../../../src/validation/monitor/monitor.ts';
import type { MonitorSettings } from '../../../src/validation/monitor/monitor-settings.ts';
import { type Script, type ScriptedHost, scriptedHost, TEN } from '../../support/scripted-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const usual: MonitorSettings = {
  targets: [{ url: 'http://app.example/' }],
  intervalSeconds: 1,
  timeoutSeconds: 10,
  slowSeconds: 1,
  expect: 200,
  reused: false,
};
const good: Script = () => ({ status: 200, seconds: 0.012 });

interface Monitored {
  readonly log: string;
  readonly lines: readonly string[];
  readonly samples: readonly Sample[];
  /** By how much it was told that the clock was set ahead. */
  readonly clockSet: readonly number[];
}

/** The log of a monitor that ran in virtual time. */
async function monitored(
  t: TestContext,
  host: ScriptedHost,
  course: (monitor: Monitor, host: ScriptedHost) => Promise<void>,
  over: Partial<MonitorSettings> = {},
  path = `${temporaryFolder(t)}/downtime.log`,
): Promise<Monitored> {
  const samples: Sample[] = [];
  const clockSet: number[] = [];
  await host.clock.run(async () => {
    const monitor = await startMonitor(
      host as unknown as Host,
      { ...usual, ...over },
      path,
      (sample) => samples.push(sample),
      (seconds) => clockSet.push(seconds),
    );
    await course(monitor, host);
    await monitor.stop();
  });
  assert.deepEqual([...host.clock.unheld], []);
  const log = readFileSync(path, 'utf8');
  return { log, lines: log.trimEnd().split('\n'), samples, clockSet };
}

const forSeconds =
  (seconds: number) =>
  async (_: Monitor, { clock }: ScriptedHost) =>
    clock.sleep(seconds);
const startOf = (line: string) => Date.parse(line.split(' ')[0] ?? '');
const samplesOf = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('#'));

test('a log has a header, one line a second, and an end line', async (t) => {
  const { lines } = await monitored(t, scriptedHost(t, good), forSeconds(60));
  assert.equal(
    lines[0],
    '# holdfast downtime-log 1 target=http://app.example/ interval=1s timeout=10s slow=1s expect=200',
  );
  const starts = samplesOf(lines).map(startOf);
  assert.equal(starts.length, 60);
  const phase = (starts[0] ?? 0) - TEN;
  assert.ok(phase > 0 && phase < 1000);
  assert.deepEqual(
    starts,
    starts.map((_, i) => TEN + phase + i * 1000),
  );
  assert.match(lines.at(-1) ?? '', /^# end at=2026-11-20T10:01:00/);
});

test('the phase is random, and the same seed gives the same bytes', async (t) => {
  const phases = new Set<number>();
  for (const seed of ['1', '2', '3', '4']) {
    const first = await monitored(t, scriptedHost(t, good, seed), forSeconds(5));
    const again = await monitored(t, scriptedHost(t, good, seed), forSeconds(5));
    assert.equal(again.log, first.log);
    phases.add(startOf(samplesOf(first.lines)[0] ?? '') % 1000);
  }
  assert.equal(phases.size, 4);
});

test('a slow probe delays no other, and its line is written when it ends, with the time of its start', async (t) => {
  let asked = 0;
  const script: Script = () =>
    ++asked === 3 ? { status: 0, seconds: 10, error: 'timeout' } : { status: 200, seconds: 0.01 };
  const { lines } = await monitored(t, scriptedHost(t, script), forSeconds(20));
  const starts = samplesOf(lines).map(startOf);
  assert.equal(new Set(starts).size, 20);
  const late = samplesOf(lines).findIndex((line) => line.includes('error=timeout'));
  assert.equal(late, 11, 'nine later probes have ended before it');
  assert.equal(starts[late], (starts[0] ?? 0) + 2000);
  assert.match(samplesOf(lines)[late] ?? '', / 000 10\.000 error=timeout$/);
});

test('a second probe uses a kept connection', async (t) => {
  const script: Script = (_at, _target, connection) => ({ status: connection === 'new' ? 200 : 503, seconds: 0.01 });
  const { lines, samples } = await monitored(t, scriptedHost(t, script), forSeconds(3), { reused: true });
  assert.deepEqual(
    samplesOf(lines).map((line) => line.split(' ').slice(1).join(' ')),
    Array.from({ length: 3 }, () => ['200 0.010', '503 0.010 connection=reused']).flat(),
  );
  assert.equal(samples.length, 6);
});

test('the probes of several targets are spread over the interval, and their lines name the target', async (t) => {
  const targets = ['a', 'b', 'c', 'd'].map((name) => ({ url: `http://${name}/` }));
  const { lines } = await monitored(t, scriptedHost(t, good), forSeconds(4), {
    targets: targets as unknown as MonitorSettings['targets'],
  });
  assert.match(lines[0] ?? '', / target=http:\/\/a\/ target=http:\/\/b\/ target=http:\/\/c\/ target=http:\/\/d\/ /);
  const samples = samplesOf(lines);
  assert.deepEqual(
    samples
      .map((line) => /target=http:\/\/(.)\/$/.exec(line)?.[1])
      .slice(0, 8)
      .join(''),
    'abcdabcd',
  );
  assert.deepEqual(
    samples.map((line) => (startOf(line) - startOf(samples[0] ?? '')) % 1000).slice(0, 4),
    [0, 250, 500, 750],
  );
});

test('stop waits for the probes under way, and loses none', async (t) => {
  const script: Script = () => ({ status: 200, seconds: 7 });
  const { lines } = await monitored(t, scriptedHost(t, script), forSeconds(30));
  assert.equal(samplesOf(lines).length, 30);
  assert.match(lines.at(-1) ?? '', /^# end at=2026-11-20T10:00:36/);
});

test('abandon writes the probes under way as unknown', async (t) => {
  const script: Script = () => ({ status: 200, seconds: 7 });
  const host = scriptedHost(t, script);
  const { lines, samples } = await monitored(t, host, async (monitor, { clock }) => {
    await clock.sleep(30);
    void monitor.stop();
    monitor.abandon();
    await monitor.finished;
    assert.equal(clock.wallAt(), TEN + 30_000);
    await clock.sleep(20);
  });
  assert.deepEqual([samplesOf(lines).length, samples.length], [23, 23]);
  const unknown = lines.filter((line) => /^# unknown 1 from=\S+ reason=stopped$/.test(line));
  assert.equal(unknown.length, 7);
  const starts = [...samplesOf(lines).map(startOf), ...unknown.map((line) => Date.parse(line.split(/[= ]/)[4] ?? ''))];
  assert.deepEqual(
    starts.map((start, i) => start - (starts[0] ?? 0) - i * 1000),
    starts.map(() => 0),
  );
});

test('a probe that this machine could not make is unknown, and later probes are made', async (t) => {
  const host = scriptedHost(t, good);
  let asked = 0;
  const failing: Host['probe'] = async (...given) => {
    if (++asked === 3) throw new OperationError({ tried: 'Connecting to', on: 'app.example', reason: 'EMFILE' });
    return host.probe(...given);
  };
  const { lines } = await monitored(t, { ...host, probe: failing }, forSeconds(6));
  assert.equal(samplesOf(lines).length, 5);
  assert.equal(lines.filter((line) => / reason=prober$/.test(line)).length, 1);
});

/** A clock on which some sleeps last longer than they should. */
function stalling(host: ScriptedHost, stalls: (at: number) => number): ScriptedHost {
  const { clock } = host;
  const sleep: typeof clock.sleep = async (seconds, signal) => {
    await clock.sleep(seconds, signal);
    const longer = stalls(clock.wallAt());
    if (longer > 0) await clock.sleep(longer);
  };
  return { ...host, clock: { ...clock, sleep } };
}

test('ticks during which the process did not run are logged as missed and not made up for', async (t) => {
  let stalled = false;
  const host = stalling(scriptedHost(t, good), (at) => {
    if (stalled || at < TEN + 10_000) return 0;
    stalled = true;
    return 4.5;
  });
  const { lines } = await monitored(t, host, forSeconds(30));
  const missed = lines.find((line) => line.startsWith('# missed')) ?? '';
  const [, ticks, from] = /^# missed (\d) from=(\S+) reason=event-loop$/.exec(missed) ?? [];
  const starts = samplesOf(lines).map(startOf);
  const gap = starts.findIndex((start, i) => start - (starts[i - 1] ?? start) > 1500);
  const next = (starts[gap - 1] ?? 0) + 1000;
  assert.equal(Date.parse(from ?? ''), next);
  assert.equal(Number(ticks), Math.floor(((starts[gap] ?? 0) - next) / 1000));
  assert.ok(
    lines.some((line) => /^# stall 4\.500 from=2026-11-20T10:00:10/.test(line)),
    lines.filter((line) => line.startsWith('#')).join(),
  );
  assert.equal(lines.filter((line) => line.startsWith('# missed')).length, 1);
  assert.equal(starts.length + Number(ticks), 30);
});

test('a sample that was slow only because the process did not run is reported to nobody; one that was slow anyway is', async (t) => {
  let begunAt = Number.POSITIVE_INFINITY;
  const takes = (at: number) => {
    if (at >= TEN + 10_000 && at < TEN + 11_000) {
      begunAt = at;
      return 3.6;
    }
    return at >= TEN + 20_000 && at < TEN + 21_000 ? 1.4 : 0.6;
  };
  let stalled = false;
  const host = stalling(
    scriptedHost(t, (at) => ({ status: 200, seconds: takes(at) })),
    (at) => {
      if (stalled || at < begunAt + 300) return 0;
      stalled = true;
      return 3;
    },
  );
  const { samples, lines } = await monitored(t, host, forSeconds(30));
  assert.deepEqual(
    samples.filter(({ seconds }) => seconds > 1).map(({ seconds }) => seconds),
    [1.4],
  );
  assert.equal(lines.filter((line) => / 200 3\.600/.test(line)).length, 1, 'its line is in the log');
});

test('a stall shorter than an interval is logged too', async (t) => {
  let stalled = false;
  const host = stalling(scriptedHost(t, good), (at) => {
    if (stalled || at < TEN + 10_000) return 0;
    stalled = true;
    return 0.3;
  });
  const { lines } = await monitored(t, host, forSeconds(20));
  assert.ok(lines.some((line) => line.startsWith('# stall 0.300 from=2026-11-20T10:00:10')));
  assert.equal(lines.filter((line) => line.startsWith('# missed')).length, 0);
});

test('after the last tick stalls and steps of the clock are watched too, until the last answer is there', async (t) => {
  const scripted = scriptedHost(t, (at) => ({ status: 200, seconds: at > TEN + 9000 ? 6 : 0.01 }));
  let [stalled, offset] = [false, 0];
  const { clock, ...host } = stalling(scripted, (at) => {
    if (stalled || at < TEN + 12_000) return 0;
    stalled = true;
    return 1.5;
  });
  const set = { ...clock, wallAt: () => clock.wallAt() + offset };
  const probe: Host['probe'] = async (...given) => ({ ...(await host.probe(...given)), at: set.wallAt() });
  const { lines } = await monitored(t, { ...host, clock: set, probe }, async () => {
    await clock.sleep(10);
    void clock.sleep(4.5).then(() => {
      offset = 900_000;
    });
  });
  const facts = lines.slice(1).filter((line) => line.startsWith('#'));
  assert.match(facts[0] ?? '', /^# stall 1\.500 from=2026-11-20T10:00:12/);
  assert.match(facts[1] ?? '', /^# clock-step (899\.999|900\.00[01])$/);
  assert.match(facts[2] ?? '', /^# end at=2026-11-20T10:15:1/);
  assert.equal(facts.length, 3, facts.join());
  assert.ok(
    lines.indexOf(facts[0] ?? '') < lines.length - 2,
    'the stall stands before the answer that it may have delayed',
  );
});

test('a wall clock that is set is logged, the schedule goes on, and later lines have the new time', async (t) => {
  const host = scriptedHost(t, (at) => ({ status: 200, seconds: at >= TEN + 9000 && at < TEN + 10_000 ? 2 : 0.01 }));
  let offset = 0;
  const clock = { ...host.clock, wallAt: () => host.clock.wallAt() + offset };
  const probe: Host['probe'] = async (...given) => {
    const at = clock.wallAt();
    return { ...(await host.probe(...given)), at };
  };
  const { lines } = await monitored(t, { ...host, clock, probe }, async () => {
    await clock.sleep(10.5);
    offset = -3_600_000;
    await clock.sleep(10);
  });
  const step = lines.findIndex((line) => /^# clock-step -3(599\.999|600\.00[01])$/.test(line));
  assert.ok(step > 0);
  const before = samplesOf(lines.slice(0, step)).map(startOf);
  const after = samplesOf(lines.slice(step)).map(startOf);
  assert.ok(before.every((start) => start >= TEN && start < TEN + 60_000));
  assert.ok(after.every((start) => start < TEN - 3_500_000));
  const all = [...before, ...after.map((start) => start + 3_600_000)].sort((a, b) => a - b);
  for (const [i, start] of all.entries()) assert.ok(Math.abs(start - (all[0] ?? 0) - i * 1000) <= 1);
});

test('a wall clock that is set back is logged before the first line with the new time, also where probes of the edges are due sooner', async (t) => {
  const scripted = scriptedHost(t, good);
  let offset = 0;
  const clock = { ...scripted.clock, wallAt: () => scripted.clock.wallAt() + offset };
  const probe: Host['probe'] = async (...given) => {
    const at = clock.wallAt();
    return { ...(await scripted.probe(...given)), at };
  };
  const { lines } = await monitored(
    t,
    { ...scripted, clock, probe },
    async (monitor) => {
      monitor.edges(true);
      for (let round = 0; round < 8; round++) {
        await clock.sleep(3.07);
        offset -= 60_000;
      }
      await clock.sleep(3);
    },
    { edgesSeconds: 0.1 },
  );
  const starts = lines.map((line) => (line.startsWith('#') ? undefined : startOf(line)));
  for (const [index, start] of starts.entries()) {
    const before = starts.slice(0, index).findLast((at) => at !== undefined);
    const isSetBack = start !== undefined && before !== undefined && before - start > 30_000;
    if (isSetBack) assert.match(lines[index - 1] ?? '', /^# clock-step -(59\.999|60\.00[01])$/);
  }
  assert.equal(lines.filter((line) => line.startsWith('# clock-step')).length, 8);
});

test('a machine that slept has a stall and no step of its clock, but for what its clock was set beside', async (t) => {
  const scripted = scriptedHost(t, good);
  let [offset, asleep] = [0, 5];
  const clock = {
    ...scripted.clock,
    wallAt: () => scripted.clock.wallAt() + offset,
    asleepSeconds: () => asleep,
  };
  const { lines, clockSet } = await monitored(t, { ...scripted, clock }, async () => {
    await clock.sleep(10.5);
    [offset, asleep] = [3_600_000, 3605];
    await clock.sleep(5);
    [offset, asleep] = [3_600_000 + 60_000 - 2000, 3665];
    await clock.sleep(5);
  });
  const facts = lines.filter((line) => /^# (stall|clock-step)/.test(line));
  assert.match(facts[0] ?? '', /^# stall 3600\.000 from=2026-11-20T10:00:10/);
  assert.match(facts[1] ?? '', /^# clock-step -(1\.999|2\.00[01])$/);
  assert.match(facts[2] ?? '', /^# stall 60\.000 from=2026-11-20T11:00:1/);
  assert.deepEqual(clockSet.map(Math.round), [-2]);
  assert.equal(facts.length, 3, facts.join());
});

test('good samples in a row are counted in the order of their starts, from an instant on, and a probe under way ends the row', async (t) => {
  const script: Script = (at) => {
    if (at < TEN + 10_000) return { status: 503, seconds: 0.01 };
    return { status: 200, seconds: at > TEN + 20_000 && at < TEN + 21_000 ? 0.9 : 0.01 };
  };
  await monitored(t, scriptedHost(t, script), async (monitor, { clock }) => {
    await clock.sleep(10);
    assert.equal(monitor.goodInARow(TEN), 0);
    await clock.sleep(10);
    assert.equal(monitor.goodInARow(TEN), 10);
    assert.equal(monitor.goodInARow(TEN + 15_000), 5);
    assert.equal(monitor.goodInARow(TEN + 20_000), 0);
    await clock.sleep(15);
    assert.equal(monitor.goodInARow(TEN), 25);
  });
});

test('writtenUntil waits until every probe that started before is in the log', async (t) => {
  const path = `${temporaryFolder(t)}/downtime.log`;
  const host = scriptedHost(t, () => ({ status: 200, seconds: 5 }));
  const course = async (monitor: Monitor, { clock }: ScriptedHost) => {
    await clock.sleep(10);
    const at = clock.wallAt();
    await monitor.writtenUntil(at);
    const starts = samplesOf(readFileSync(path, 'utf8').trimEnd().split('\n')).map(startOf);
    assert.equal(starts.filter((start) => start < at).length, 10);
    assert.ok(clock.wallAt() < at + 5000);
  };
  await monitored(t, host, course, {}, path);
});

test('a monitor appends to an existing log, and a torn line does not swallow the next', async (t) => {
  const path = `${temporaryFolder(t)}/downtime.log`;
  writeFileSync(path, '2026-11-20T09:00:00.203Z 200 0.012\n2026-11-20T09:00:01.203Z 200 0.0');
  const { lines } = await monitored(t, scriptedHost(t, good), forSeconds(2), {}, path);
  assert.equal(lines[1], '2026-11-20T09:00:01.203Z 200 0.0 torn=yes');
  assert.match(lines[2] ?? '', /^# holdfast downtime-log 1 /);
  const again = await monitored(t, scriptedHost(t, good), forSeconds(2), {}, path);
  assert.equal(again.log.match(/torn=yes/g)?.length, 1);
  assert.equal(again.log.match(/^# holdfast/gm)?.length, 2);
});

test('a log that cannot be written any more ends the monitor with an error', async (t) => {
  const host = scriptedHost(t, good);
  let writes = 0;
  const files: Host['files'] = {
    ...host.files,
    append: async (path) => {
      const appender = await host.files.append(path);
      const write = async (text: string) => {
        if (++writes > 5)
          throw new OperationError({
            tried: 'Appending to',
            on: path,
            reason: 'no space left on the device (ENOSPC)',
          });
        return appender.write(text);
      };
      return { ...appender, write };
    },
  };
  const ended = monitored(t, { ...host, files }, async (monitor) => monitor.finished);
  await assert.rejects(ended, /no space left on the device/);
});

test('a log that cannot be opened is an error before the first probe', async (t) => {
  const host = scriptedHost(t, () => assert.fail('a probe was made'));
  await assert.rejects(monitored(t, host, forSeconds(1), {}, '/no/such/folder/downtime.log'), OperationError);
});

test('samples of the control target are not passed on, but are in the log', async (t) => {
  const control = { url: 'http://control.example/' };
  const slowAtFirst: Script = (at, { url }) => ({
    status: 200,
    seconds: url === control.url || at > TEN + 2000 ? 0.01 : 2,
  });
  const urls = new Set<string>();
  const host = scriptedHost(t, slowAtFirst);
  const path = `${temporaryFolder(t)}/downtime.log`;
  await host.clock.run(async () => {
    const monitor = await startMonitor(host as unknown as Host, { ...usual, control }, path, (_, { url }) =>
      urls.add(url),
    );
    await host.clock.sleep(5);
    await monitor.stop();
  });
  assert.deepEqual([...urls], ['http://app.example/']);
  assert.match(readFileSync(path, 'utf8'), / target=http:\/\/control\.example\/$/m);
});

test('a certificate that ends soon is in the log once a day, and the sample stays good', async (t) => {
  const day = 24 * 3600;
  const endsAt = TEN + 13 * day * 1000;
  const host = scriptedHost(t, () => ({ status: 200, seconds: 0.012, certificateEndsAt: endsAt }));
  const { lines, samples } = await monitored(t, host, forSeconds(3 * day - 60), { intervalSeconds: 60 });
  const told = lines.filter((line) => line.startsWith('# certificate '));
  assert.deepEqual(new Set(told), new Set(['# certificate ends=2026-12-03T10:00:00.000Z target=http://app.example/']));
  assert.equal(told.length, 3);
  assert.ok(samples.length > 4000);
  assert.doesNotMatch(lines.at(-2) ?? '', /error/);
});
