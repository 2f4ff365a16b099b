import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Host } from '../../../src/host/host.ts';
import { readDowntimeLog } from '../../../src/validation/downtime/read-downtime-log.ts';
import { followLog } from '../../../src/validation/monitor/follow-log.ts';
import { followedLog } from '../../../src/validation/monitor/followed-log.ts';
import { fileSource } from '../../../src/validation/monitor/log-source.ts';
import { type Monitor, startMonitor } from '../../../src/validation/monitor/monitor.ts';
import type { MonitorSettings } from '../../../src/validation/monitor/monitor-settings.ts';
import { type Script, scriptedHost, TEN } from '../../support/scripted-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const usual: MonitorSettings = {
  targets: [{ url: 'http://app.example/' }],
  intervalSeconds: 1,
  timeoutSeconds: 10,
  slowSeconds: 1,
  expect: 200,
  reused: true,
};
const good: Script = () => ({ status: 200, seconds: 0.01 });
const never = new AbortController().signal;

interface Scene {
  readonly host: Host;
  readonly theirs: string;
  readonly ours: string;
  readonly bastion: Monitor;
  readonly bad: string[];
  readonly follow: () => Promise<Monitor>;
}

/** A monitor on the bastion, and a run that reads its log. */
async function scene(t: TestContext, script: Script, main: (scene: Scene) => Promise<void>): Promise<void> {
  const host = scriptedHost(t, script) as unknown as Host & { clock: { run<T>(work: () => Promise<T>): Promise<T> } };
  const folder = temporaryFolder(t);
  const [theirs, ours] = [join(folder, 'bastion.log'), join(folder, 'downtime.log')];
  const files: Host['files'] = {
    ...host.files,
    read: (path) => host.clock.hold('read', () => host.files.read(path)),
  };
  const bad: string[] = [];
  await host.clock.run(async () => {
    const bastion = await startMonitor(host, usual, theirs);
    const follow = () =>
      followLog({ ...host, files }, fileSource({ ...host, files }, theirs), ours, ({ connection }, { url }, kind) => {
        if (connection === 'new' && kind !== undefined) bad.push(`${kind} ${url}`);
      });
    await main({ host, theirs, ours, bastion, bad, follow });
  });
}

test('the run’s log is a copy of the new lines of the bastion’s log', (t) =>
  scene(t, good, async ({ host, theirs, ours, bastion, follow }) => {
    await host.clock.sleep(60);
    const followed = await follow();
    await host.clock.sleep(30);
    assert.ok(followed.goodInARow(host.clock.wallAt() - 20_000) >= 18);
    assert.ok(followed.goodInARow(0) <= 31);
    await followed.readyToAct(never);
    const at = host.clock.wallAt();
    await followed.writtenUntil(at);
    assert.ok(host.clock.wallAt() - at <= 12_000, 'a probe may take its timeout');
    await followed.stop();
    await bastion.stop();
    const lines = readFileSync(ours, 'utf8').trim().split('\n');
    const whole = readFileSync(theirs, 'utf8').split('\n');
    assert.match(lines[0] ?? '', /^# holdfast downtime-log 1 target=http:\/\/app\.example\/ /);
    assert.ok(lines.slice(1).every((line) => whole.includes(line)));
    const { ticks } = await readDowntimeLog(host.files, ours);
    assert.ok(Math.abs(ticks.length - 41) <= 3, `${ticks.length} ticks`);
    assert.ok((ticks[0]?.at ?? 0) >= TEN + 58_000);
  }));

test('bad samples are passed on as they come, and end the row of good ones', (t) => {
  const script: Script = (at) =>
    at >= TEN + 40_000 && at < TEN + 43_000 ? { status: 503, seconds: 0.01 } : good(at, { url: '' }, 'new');
  return scene(t, script, async ({ host, bastion, bad, follow }) => {
    const followed = await follow();
    await host.clock.sleep(42);
    assert.ok(bad.length >= 1 && bad.every((one) => one === '503 http://app.example/'));
    assert.equal(followed.goodInARow(0), 0);
    await host.clock.sleep(10);
    assert.ok(followed.goodInARow(0) >= 8 && followed.goodInARow(0) <= 10, String(followed.goodInARow(0)));
    await followed.stop();
    await bastion.stop();
  });
});

test('a probe that hangs ends the row of good ones before it ends itself', (t) => {
  const script: Script = (at) =>
    at >= TEN + 20_000 && at < TEN + 21_000
      ? { status: 0, seconds: 10, error: 'timeout' }
      : good(at, { url: '' }, 'new');
  return scene(t, script, async ({ host, bastion, follow }) => {
    const followed = await follow();
    await host.clock.sleep(27);
    assert.ok(followed.goodInARow(0) <= 7, `${followed.goodInARow(0)} in a row while one is under way`);
    await followed.stop();
    await bastion.stop();
  });
});

test('no action is allowed without a line younger than 3 s', (t) =>
  scene(t, good, async ({ host, theirs, bastion, follow }) => {
    await bastion.stop();
    const followed = await follow();
    for (let second = 0; second < 5; second += 1) {
      appendFileSync(theirs, `${new Date(host.clock.wallAt()).toISOString()} 200 0.010\n`);
      await host.clock.sleep(1);
    }
    await followed.readyToAct(never);
    await host.clock.sleep(1);
    await followed.readyToAct(never);
    await host.clock.sleep(2);
    await assert.rejects(
      followed.readyToAct(never),
      /bastion\.log: its newest line is 1\d\.\d s old\. Check that the monitor runs there/,
    );
    await followed.stop();
  }));

test('readyToAct waits 10 s for a fresh line, and no longer', (t) =>
  scene(t, good, async ({ host, bastion, follow }) => {
    await host.clock.sleep(5);
    await bastion.stop();
    const followed = await follow();
    const askedAt = host.clock.wallAt();
    await assert.rejects(
      followed.readyToAct(never),
      /bastion\.log: no line of it has come yet\. Check that the monitor runs there/,
    );
    assert.ok(host.clock.wallAt() - askedAt <= 10_500);
    await followed.stop();
  }));

test('the end of the bastion’s monitor ends the followed log, and is in the copy', (t) =>
  scene(t, good, async ({ host, ours, bastion, follow }) => {
    const followed = await follow();
    await host.clock.sleep(5);
    await bastion.stop();
    const endedAt = host.clock.wallAt();
    await assert.rejects(followed.finished, /Following the downtime log .*bastion\.log: it ended/);
    assert.ok(host.clock.wallAt() - endedAt <= 500);
    assert.match(readFileSync(ours, 'utf8'), /\n# end at=\S+\n$/);
  }));

test('a log whose clock is ahead of ours is not fresh', (t) =>
  scene(t, good, async ({ host, theirs, bastion, follow }) => {
    await bastion.stop();
    const followed = await follow();
    await host.clock.sleep(1);
    appendFileSync(theirs, `${new Date(host.clock.wallAt() + 60_000).toISOString()} 200 0.010\n`);
    await assert.rejects(followed.readyToAct(never), /its newest line is [45]\d\.\d s ahead of this clock/);
    await followed.stop();
  }));

test('a curl loop’s log can be followed', (t) =>
  scene(t, good, async ({ host, theirs, ours, bastion, bad, follow }) => {
    await bastion.stop();
    writeFileSync(theirs, '');
    const followed = await follow();
    for (let second = 0; second < 12; second += 1) {
      const status = second === 3 ? '503' : '200';
      appendFileSync(theirs, `${new Date(host.clock.wallAt()).toISOString()} ${status} 0.010\n`);
      await host.clock.sleep(1);
    }
    await followed.readyToAct(never);
    assert.ok(followed.goodInARow(0) >= 7);
    assert.equal(bad.length, 1);
    await followed.writtenUntil(host.clock.wallAt() - 2000);
    await followed.stop();
    const { ticks } = await readDowntimeLog(host.files, ours);
    assert.equal(ticks.filter((tick) => 'kind' in tick).length, 1);
  }));

test('a curl loop’s log in an ambiguous time zone is refused at its first sample', () => {
  assert.throws(
    () => followedLog().take('2026-11-20 10:00:00 IST 200 0.010', 0),
    /time zone IST in it is ambiguous or unknown/,
  );
});

test('a log with CRLF line ends has the same samples, and is copied with LF line ends', (t) =>
  scene(t, good, async ({ host, theirs, ours, bastion, bad, follow }) => {
    await bastion.stop();
    const header = '# holdfast downtime-log 1 target=http://a/ interval=1s timeout=1s slow=1s expect=200';
    writeFileSync(theirs, `${header}\r\n`);
    const followed = await follow();
    const line = (words: string) => `${new Date(host.clock.wallAt()).toISOString()} ${words}\r\n`;
    for (const words of ['200 0.010', '000 0.010 error=reset', '200 0.010 connection=reused', '200 0.010']) {
      appendFileSync(theirs, line(words));
      await host.clock.sleep(1);
    }
    await followed.stop();
    assert.deepEqual(bad, ['reset http://a/']);
    assert.doesNotMatch(readFileSync(ours, 'utf8'), /\r/);
  }));

test('a log of holdfast without its header ends the run, because its settings are unknown', (t) =>
  scene(t, good, async ({ host, theirs, bastion, follow }) => {
    await bastion.stop();
    for (const line of [
      '2026-11-20T10:00:00.203Z 200 0.010 connection=reused',
      `# missed 4 from=2026-11-20T10:00:00.203Z`,
    ]) {
      writeFileSync(theirs, '');
      const followed = await follow();
      await host.clock.sleep(1);
      appendFileSync(theirs, `${line}\n`);
      await assert.rejects(
        followed.finished,
        /no header came before it.*Send the first line of the log before the rest/,
      );
    }
  }));

test('no action is allowed while the bastion’s clock is behind ours, even if its lines are fresh', (t) =>
  scene(t, good, async ({ host, theirs, bastion, follow }) => {
    await bastion.stop();
    const followed = await follow();
    const write = async (seconds: number, behindSeconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        appendFileSync(theirs, `${new Date(host.clock.wallAt() - behindSeconds * 1000).toISOString()} 200 0.010\n`);
        await host.clock.sleep(1);
      }
    };
    const writing = write(40, 2);
    await assert.rejects(
      followed.readyToAct(never),
      /its clock is 2\.\d s behind this one.*Check that the monitor runs there and that both clocks agree/,
    );
    await writing;
    await Promise.all([write(32, 0.5), host.clock.sleep(30).then(() => followed.readyToAct(never))]);
    await followed.stop();
  }));

test('a symbolic link to a log is followed; anything but a regular file is refused', (t) =>
  scene(t, good, async ({ host, theirs, bastion, follow }) => {
    const [named, current] = [`${theirs}.1`, theirs];
    await host.clock.sleep(5);
    renameSync(theirs, named);
    symlinkSync(named, current);
    const followed = await follow();
    await host.clock.sleep(5);
    await followed.readyToAct(never);
    assert.ok(followed.goodInARow(0) >= 4);
    await followed.stop();
    await bastion.stop();
    const folder = await followLog(host, fileSource(host, dirname(theirs)), `${theirs}.copy`, () => {});
    await assert.rejects(folder.finished, /it is not a regular file. Give a pipe as standard input: --downtime-log -/);
  }));

test('a log that is truncated or missing ends the run', (t) =>
  scene(t, good, async ({ host, theirs, bastion, follow }) => {
    await host.clock.sleep(5);
    const followed = await follow();
    await host.clock.sleep(1);
    truncateSync(theirs, 10);
    await assert.rejects(followed.finished, /bastion\.log: it was cut short or replaced/);
    await bastion.stop();
    await assert.rejects(
      followLog(host, fileSource(host, `${theirs}.none`), `${theirs}.copy`, () => {}).then((other) => other.finished),
      /there is no such file/,
    );
  }));
