import assert from 'node:assert/strict';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startMonitor } from '../../../src/validation/monitor/monitor.ts';
import { inShell, type Shell } from '../../support/cluster-commands.ts';
import { type Parsed, rowIn } from '../../support/results.ts';
import { assertConforms } from '../../support/schema.ts';

const folderOf = (shell: Shell): string => join(shell.folder, 'run');
const reportIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));

/** A monitor on another machine. */
function monitorAt(shell: Shell, name: string, phaseSeconds: number, url = 'http://app.example.com/') {
  const settings = {
    targets: [{ url }] as const,
    intervalSeconds: 1,
    timeoutSeconds: 10,
    slowSeconds: 1,
    expect: 200,
    reused: true,
  };
  const random = () => () => phaseSeconds;
  return startMonitor({ ...shell.host, random }, settings, join(shell.folder, `${name}.log`));
}

test('with --downtime-log again there are several vantage points, and the report says what each saw', (t) =>
  inShell(t, async (shell) => {
    const monitors = [await monitorAt(shell, 'dublin', 0.1), await monitorAt(shell, 'oregon', 0.6)];
    await shell.host.clock.sleep(20);
    const logs = ['dublin', 'oregon'].flatMap((name) => ['--downtime-log', join(shell.folder, `${name}.log`)]);
    const words = ['--scenario', 'single-replica', '--yes', '--out', folderOf(shell), ...logs];
    // One is lost when the first scenario begins; the other one covers its gap.
    shell.hears = (text) => {
      if (text.includes('single-replica: predicted')) void monitors[1]?.stop();
    };
    const ended = await shell.holdfast('validate', ...words);
    await monitors[0]?.stop();
    assert.equal(ended.exitCode, 0, ended.stdout);
    const { vantages, rule, outages, scenarios, findings } = reportIn(folderOf(shell));
    assertConforms('report', reportIn(folderOf(shell)));
    assert.equal(rule, 'any');
    assert.deepEqual(
      vantages.map(({ name, log }: { name: string; log: string }) => [name, log]),
      [
        ['dublin', 'downtime.log'],
        ['oregon', 'downtime-2.log'],
      ],
    );
    // Before there was an application both saw none.
    const ofScenario = outages.filter(({ scenario }: { scenario: string | null }) => scenario !== null);
    assert.deepEqual(
      ofScenario.map(({ seenBy, notSeenBy, blind }: Record<string, unknown>) => ({ seenBy, notSeenBy, blind })),
      [{ seenBy: ['dublin'], notSeenBy: [], blind: ['oregon'] }],
    );
    const { downtime } = rowIn<Parsed>({ scenarios }, 'single-replica');
    assert.equal(downtime.unknown, 0, 'what one did not see the other one did');
    assert.ok(downtime.seconds >= 1 && downtime.seconds <= 5);
    const [told] = findings.filter(({ id }: { id: string }) => id === 'vantage-points');
    assert.match(told.observed, /^[\d.–]+ s from \S+ for dublin; no sample from oregon$/);
    const again = await shell.holdfast('report', folderOf(shell));
    assert.equal(again.exitCode, 0);
    assert.deepEqual(reportIn(folderOf(shell)).outages, outages);
  }));

test('by the rule all, an outage that one of them does not see is none', (t) =>
  inShell(t, async (shell) => {
    const monitor = await monitorAt(shell, 'dublin', 0.1);
    await shell.host.clock.sleep(20);
    const inside = join(shell.folder, 'inside.log');
    writeFileSync(inside, readFileSync(join(shell.folder, 'dublin.log'), 'utf8'));
    let going = true;
    // A prober that is never down, such as one beside the application.
    const other = (async () => {
      while (going) {
        await shell.host.clock.sleep(1);
        const line = `${new Date(shell.host.clock.wallAt()).toISOString()} 200 0.001\n`;
        writeFileSync(inside, line, { flag: 'a' });
      }
    })();
    const logs = ['--downtime-log', join(shell.folder, 'dublin.log'), '--downtime-log', inside, '--rule', 'all'];
    const ended = await shell.holdfast(
      'validate',
      '--scenario',
      'single-replica',
      '--yes',
      '--out',
      folderOf(shell),
      ...logs,
    );
    going = false;
    await Promise.all([other, monitor.stop()]);
    const { scenarios, outages, rule, findings } = reportIn(folderOf(shell));
    assertConforms('report', reportIn(folderOf(shell)));
    assert.equal(rule, 'all');
    assert.match(
      ended.stdout.replaceAll(/\s+/g, ' '),
      /2 vantage points \(dublin, inside\): down for all of them counts\./,
    );
    assert.deepEqual(
      outages.filter(({ scenario }: { scenario: string | null }) => scenario !== null),
      [],
    );
    const { downtime } = rowIn<Parsed>({ scenarios }, 'single-replica');
    assert.deepEqual([downtime.seconds, downtime.bad], [0, 0]);
    const told = findings.filter(({ id }: { id: string }) => id === 'vantage-points');
    assert.match(told.at(-1).observed, /^[\d.–]+ s from \S+ for dublin; not for inside; no downtime by the rule all$/);
    assert.equal(ended.exitCode, 0, ended.stdout);
  }));

test('a log that is given twice is a mistake', (t) =>
  inShell(t, async (shell) => {
    const ended = await shell.holdfast('validate', '--yes', '--downtime-log', '-', '--downtime-log', '-');
    assert.equal(ended.exitCode, 2);
    assert.match(ended.stderr, /--downtime-log - is given twice: a vantage point has one log\./);
  }));

test('a log that is given twice by two names is a mistake too', (t) =>
  inShell(t, async (shell) => {
    const monitor = await monitorAt(shell, 'dublin', 0.1);
    const [log, link] = ['dublin.log', 'link.log'].map((name) => join(shell.folder, name)) as [string, string];
    symlinkSync(log, link);
    const ended = await shell.holdfast('validate', '--yes', '--downtime-log', log, '--downtime-log', link);
    await monitor.stop();
    assert.equal(ended.exitCode, 2);
    assert.match(ended.stderr, /--downtime-log \S+link\.log is given twice: a vantage point has one log\./);
  }));

test('vantage points that watch different addresses are refused before anything is applied', (t) =>
  inShell(t, async (shell) => {
    const monitors = [
      await monitorAt(shell, 'dublin', 0.1),
      await monitorAt(shell, 'oregon', 0.6, 'http://other.example.com/'),
    ];
    await shell.host.clock.sleep(20);
    const logs = ['dublin', 'oregon'].flatMap((name) => ['--downtime-log', join(shell.folder, `${name}.log`)]);
    const words = ['--scenario', 'single-replica', '--yes', '--out', folderOf(shell), ...logs];
    const ended = await shell.holdfast('validate', ...words);
    for (const one of monitors) await one.stop();
    assert.equal(ended.exitCode, 4, ended.stdout);
    assert.match(
      `${ended.stdout}${ended.stderr}`.replaceAll(/\s+/g, ' '),
      /they watch different addresses first: http:\/\/app\.example\.com\/, http:\/\/other\.example\.com\//,
    );
    assert.deepEqual(reportIn(folderOf(shell)).undo, []);
  }));

test('a log of another address than the application’s is a finding', (t) =>
  inShell(t, async (shell) => {
    const monitor = await monitorAt(shell, 'dublin', 0.1, 'http://app.example.com/?from=dublin');
    await shell.host.clock.sleep(20);
    const log = ['--downtime-log', join(shell.folder, 'dublin.log')];
    const words = ['--scenario', 'single-replica', '--yes', '--out', folderOf(shell), ...log];
    const ended = await shell.holdfast('validate', ...words);
    await monitor.stop();
    assert.equal(ended.exitCode, 0, ended.stdout);
    const told = reportIn(folderOf(shell)).findings.filter(({ id }: { id: string }) => id === 'log-target');
    assert.deepEqual(
      told.map(({ expected, observed }: Record<string, string>) => [expected, observed]),
      [
        [
          'it is of http://app.example.com/',
          'the first address that its monitor watches is http://app.example.com/?from=dublin',
        ],
      ],
    );
  }));

/** As `date -u` and `curl -w '%{http_code} %{time_total}'` write it. */
function curlLine(line: string): string {
  const [at = '', status, seconds] = line.split(' ');
  return `${at.slice(0, 19)}Z\n${status} ${seconds}\n`;
}

test('an outage that began in the second of its scenario is the scenario’s, though a curl loop cuts the time off', (t) =>
  inShell(t, async (shell) => {
    // The first probe that fails begins in the second in which the pod is deleted.
    const monitor = await monitorAt(shell, 'dublin', 0.95);
    const loop = join(shell.folder, 'curl.log');
    let [going, written] = [true, 0];
    const copy = () => {
      const lines = readFileSync(join(shell.folder, 'dublin.log'), 'utf8').split('\n').slice(0, -1);
      const plain = lines.slice(written).filter((line) => !line.startsWith('#') && !line.includes('connection='));
      written = lines.length;
      writeFileSync(loop, plain.map(curlLine).join(''), { flag: 'a' });
    };
    const copying = (async () => {
      while (going) {
        copy();
        await shell.host.clock.sleep(0.2);
      }
    })();
    await shell.host.clock.sleep(20);
    const words = ['--scenario', 'single-replica', '--yes', '--out', folderOf(shell), '--downtime-log', loop];
    const ended = await shell.holdfast('validate', ...words);
    going = false;
    await Promise.all([copying, monitor.stop()]);
    const { scenarios, outages, findings } = reportIn(folderOf(shell));
    const [outage] = outages.filter(({ scenario }: { scenario: string | null }) => scenario === 'single-replica');
    assert.equal(ended.exitCode, 0, ended.stdout);
    assert.deepEqual(
      findings.filter(({ id }: { id: string }) => id === 'background-outage'),
      [],
    );
    const { window, downtime } = rowIn<Parsed>({ scenarios }, 'single-replica');
    assert.ok(outage.from < window.from, 'its time was cut off');
    assert.equal(downtime.seconds, outage.seconds);
    assert.equal(downtime.bad, outage.samples);
  }));
