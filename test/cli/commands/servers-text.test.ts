import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picture, serversProgress } from '../../../src/cli/commands/servers-progress.ts';
import { rollOutText, statusText } from '../../../src/cli/commands/servers-text.ts';
import { endWithout, type ServerDocument } from '../../../src/fleet/document.ts';
import type { FleetFact } from '../../../src/fleet/fleet.ts';
import type { Server } from '../../../src/fleet/server.ts';
import type { Host } from '../../../src/host/host.ts';
import { emulated } from '../../support/emulated-terminal.ts';

const out = { write: () => {}, isTTY: false, columns: 80, rows: 24 };
const around = { batch: 1, drain: null, restore: null, undone: null };
const commits = { previousCommit: '0'.repeat(40), newCommit: '1'.repeat(40) };
const verified: ServerDocument = {
  host: 'web1',
  ...endWithout('lost', 0, null),
  ...around,
  ...commits,
  state: 'verified',
  startedAt: '2026-11-20T10:00:00.000Z',
  finishedAt: '2026-11-20T10:00:04.200Z',
};

test('the result is a table of the servers, then why, then the exit code', () => {
  const failed: ServerDocument = {
    ...verified,
    host: 'web2',
    state: 'rolled-back',
    exitCode: 3,
    because: 'Health check failed (500) \u001b[31mred',
  };
  const rest: ServerDocument = { host: 'web3', ...endWithout('not-begun', null, null), ...around };
  const text = rollOutText({ schemaVersion: 1, hosts: [verified, failed, rest], exitCode: 3 }, out, { dryRun: false });
  assert.equal(
    text,
    `Host  State        Commit   Time
web1  verified     1111111  4.2 s
web2  rolled-back  0000000  4.2 s
web3  not-begun    -        -
! web2: Health check failed (500) \ufffd[31mred
1 of 3 done, 1 not begun, exit 3
`,
  );
});

test('a server that went back for another one is said so', () => {
  const undone = { ...verified, undone: endWithout('lost', 0, null) };
  const text = rollOutText({ schemaVersion: 1, hosts: [undone], exitCode: 3 }, out, { dryRun: false });
  assert.match(text, /^web1 {2}verified, then undone {2}0000000/m);
});

test('the status is a table, then what is wrong with each and with all together', () => {
  const hosts = [{ host: 'web1', commit: null, problems: ['It cannot be reached: no route.'] }];
  const text = statusText(
    { schemaVersion: 1, hosts, problems: ['The servers show different commits.'], exitCode: 1 },
    out,
  );
  assert.match(
    text,
    /^web1 +- +- +-\n! web1: It cannot be reached: no route\.\n! The servers show different commits\.\n$/m,
  );
});

test('the table of a run shows the servers under way, and fits a screen', () => {
  const row = (phase: 'waiting' | 'ready' | 'running' | 'done' | 'failed', said = '') => ({ phase, said, since: 10 });
  const rows = new Map([
    ['web1', row('done')],
    ['web2', row('running', 'deploy')],
    ['web3', row('failed', `rolled-back: ${'why '.repeat(40)}`)],
    ['web4', row('ready')],
    ['web5', row('waiting')],
  ]);
  const lines = picture(rows, 14.5, 60);
  assert.deepEqual([lines[0], lines.at(-1)], ['web2  4 s  deploy', '1 done, 1 under way, 1 failed, 2 waiting']);
  assert.ok(lines.every((line) => line.length < 60));
  const many = new Map(Array.from({ length: 500 }, (_, index) => [`web${index}`, row('running', 'deploy')]));
  assert.ok(picture(many, 11, 80).length < 24);
});

const facts = [
  { server: 'web1', phase: 'running', said: 'deploy' },
  { server: 'web1', phase: 'done', said: 'verified' },
  { server: 'web2', phase: 'failed', said: 'rolled-back: Health check failed (500)' },
] as readonly FleetFact[];

function shown(isTTY: boolean): readonly string[] {
  const screen = emulated(60);
  const write = (text: string): void => screen.write(text.replaceAll(/(?<!\r)\n/g, '\r\n'));
  let seconds = 10;
  const clock = { monotonicSeconds: () => (seconds += 0.06), wallAt: () => 0, sleep: () => new Promise(() => {}) };
  const host = { clock, talk: { write, isTTY, columns: 60, rows: 50 } } as unknown as Host;
  const viewer = { host, environment: { TERM: 'xterm' }, flags: { quiet: false } };
  const servers = ['web1', 'web2', 'web3'].map((name) => ({ name }) as Server);
  const { onFact, end } = serversProgress(viewer, servers, false);
  for (const fact of facts) onFact(fact);
  const whole = screen.lines();
  end();
  return isTTY ? whole : screen.lines();
}

test('on a terminal a server that has ended is a line with its mark, above the table of the others; elsewhere a fact is a line', () => {
  const lines = shown(true).map((line) => line.replace(/\d\d:\d\d:\d\d/, 'TIME'));
  assert.deepEqual(lines, [
    '✓ TIME web1: verified',
    '✗ TIME web2: rolled-back: Health check failed (500)',
    '1 done, 1 failed, 1 waiting',
  ]);
  assert.deepEqual(
    shown(false),
    facts.map(({ server, said }) => `${server}: ${said}`),
  );
});
