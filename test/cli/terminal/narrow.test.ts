import assert from 'node:assert/strict';
import { unlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { holdfast, programOf } from '../../deployment/support/holdfast.ts';
import { buildSite } from '../../deployment/support/site.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Tmux, tmux } from '../../support/tmux.ts';

const program = join(import.meta.dirname, '../../../bin/holdfast.js');
const widths = [120, 80, 40] as const;
const region = /^(waits|runs|probes|downtime so far|still to undo|Phase 4)\b/m;

/** The words of a screen; numbers, ids and this test's folder, which differ from run to run, are alike. */
function wordsOf(terminal: Tmux, folder: string): ReadonlySet<string> {
  const text = terminal
    .whole()
    .replaceAll(folder, 'FOLDER')
    .replaceAll(/\d{8}T\d{6}Z-[\da-f]{4}/g, 'RUN');
  const alike = text.replaceAll(/\b[\da-f]{7,40}\b/g, 'COMMIT').replaceAll(/\d+/g, '0');
  const words = alike.split(/\s+/).map((word) => word.replace(/[:;,.)]+$/, ''));
  return new Set(words.filter((word) => word !== '' && !/^[-▁▄█?]+$/.test(word)));
}

/** Of the columns of tables, which a narrow screen has not. */
const headings = new Set(['Scenario', 'Outage', '(UTC', 'Downtime', 'Requests', 'Bad', 'Kind']);

/**
 * Demands that every width shows each word that fits in a line, that the terminal had to break no line, and that
 * nothing is left of the live region.
 */
async function assertFits(folder: string, terminals: readonly Tmux[]): Promise<void> {
  for (const one of terminals) await one.eventually(/EXIT \d/);
  const [widest, ...others] = terminals.map((one) => wordsOf(one, folder));
  const words = [...(widest ?? [])].filter(
    (word) => word.length < 28 && !word.startsWith('FOLDER') && !headings.has(word),
  );
  assert.ok(words.length > 10, words.join(' '));
  for (const narrow of others) {
    const cut = words.filter((word) => !narrow.has(word));
    assert.deepEqual(cut, []);
  }
  for (const one of terminals) {
    // A path that somebody copies stays whole.
    assert.deepEqual(
      one.broken().filter((line) => !line.includes(folder)),
      [],
    );
    assert.doesNotMatch(one.whole(), region, 'the live region is not gone');
  }
}

test('rehearse at 120, 80 and 40 columns says the same words: none is cut, and no line is too long', async (t) => {
  if (!needs(t, 'tmux')) return;
  const folder = temporaryFolder(t);
  const run = (columns: number) => {
    const words = ['rehearse', '--scenario', 'single-replica', '--out', join(folder, String(columns))];
    return tmux(t, columns, [process.execPath, program, ...words].join(' '), { HOME: folder });
  };
  await assertFits(folder, widths.map(run));
});

test('monitor at 120, 80 and 40 columns, with an outage in between', async (t) => {
  if (!needs(t, 'tmux')) return;
  const folder = temporaryFolder(t);
  const url = await failingOnce(t);
  const terminals = widths.map((columns) => {
    const words = [
      'monitor',
      `${url}${columns}`,
      '--interval',
      '200ms',
      // Else the two requests that fail can both be on the connection that is kept, which is no downtime.
      '--no-reused',
      // A machine that is busy is no outage.
      '--slow',
      '20s',
      '--timeout',
      '20s',
      '--duration',
      '3s',
      '--log',
      join(folder, `${columns}.log`),
    ];
    return tmux(t, columns, [process.execPath, program, ...words].join(' '), { HOME: folder });
  });
  for (const one of terminals) await one.eventually(/^probes [▁▄█?]+[\s\S]*^downtime so far /m);
  await assertFits(folder, terminals);
});

/** Answers 503 to the fourth and the fifth request for each path. */
async function failingOnce(t: TestContext): Promise<string> {
  const counts = new Map<string, number>();
  const server = createServer(({ url = '' }, response) => {
    const count = (counts.get(url) ?? 0) + 1;
    counts.set(url, count);
    response.writeHead(count === 4 || count === 5 ? 503 : 200).end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('deploy at 120 and 40 columns: one that is rolled back', async (t) => {
  if (!needs(t, 'tmux') || !needs(t, 'php')) return;
  const site = await buildSite(t);
  site.push({ page: 'two', status: '500' });
  const terminals: Tmux[] = [];
  for (const columns of [120, 40]) {
    const { command, environment } = programOf(site, ['deploy', '--again', '--config', `${site.folder}/holdfast.yaml`]);
    const terminal = tmux(t, columns, command.map((word) => `'${word}'`).join(' '), environment);
    await terminal.eventually(/EXIT \d/);
    terminals.push(terminal);
  }
  await assertFits(site.folder, terminals);
  assert.match(
    terminals[1]?.whole() ?? '',
    /^✗ \S+ Health check failed \(500\)[\s\S]*^\? \S+ Rolled back to[\s\S]*EXIT 3/m,
  );
  const wide = terminals[0]?.whole() ?? '';
  assert.match(wide, /^✓ \S+ look for local edits: \d+ ms$/m);
  assert.doesNotMatch(
    wide,
    /^. \S+ (?:conflicts|differences|folders|index|sync|stage files): /m,
    'a step says what it does',
  );
});

test('a rollback that somebody has asked for is done, and no trouble', async (t) => {
  if (!needs(t, 'tmux') || !needs(t, 'php')) return;
  const site = await buildSite(t);
  for (const page of ['two', 'three']) {
    site.push({ page });
    assert.equal((await holdfast(site, ['deploy'])).exitCode, 0);
  }
  const { command, environment } = programOf(site, ['rollback', '--config', `${site.folder}/holdfast.yaml`]);
  const terminal = tmux(t, 80, command.map((word) => `'${word}'`).join(' '), environment);
  await terminal.eventually(/EXIT \d/);
  assert.match(terminal.whole(), /^✓ \S+ Rolled back to [\s\S]*EXIT 0/m);
});

test('a mistake, an answer and the help are cut in no word at 40 columns', async (t) => {
  if (!needs(t, 'tmux')) return;
  const folder = temporaryFolder(t);
  const typed = [
    'dashboard',
    'audit',
    'deploy',
    'recover',
    'rehearse --seed x --nodes y --scenario scale',
    'lock --help',
    'init',
  ];
  const line = typed.map((words) => `${process.execPath} ${program} ${words}`).join('; ');
  const terminal = tmux(t, 40, `sh -c 'cd ${folder}; ${line} < /dev/null'`, { HOME: folder, NO_COLOR: '1' });
  await terminal.eventually(/EXIT \d/);
  const whole = terminal.whole();
  for (const said of [/^holdfast: there is nothing to show:$/m, /^Nothing to recover: /m, /^Usage: /m, /^Wrote /m])
    assert.match(whole, said);
  assert.deepEqual(
    terminal.broken().filter((each) => !each.includes(folder)),
    [],
  );
});

test('a deploy whose window changes while it runs leaves nothing of its live region', async (t) => {
  if (!needs(t, 'tmux') || !needs(t, 'php')) return;
  const site = await buildSite(t);
  site.push({ page: 'two' });
  // The stand-in for PHP waits as long as this file is there.
  const held = `${site.app}/hold-view:cache`;
  writeFileSync(held, '');
  const { command, environment } = programOf(site, ['deploy', '--config', `${site.folder}/holdfast.yaml`]);
  const terminal = tmux(t, 120, command.map((word) => `'${word}'`).join(' '), environment);
  await terminal.eventually(/^runs view:cache: /m);
  const isDrawnAnew = { 120: /^deploy of main in \S+, for/m, 40: /^deploy of main in$/m } as const;
  for (const columns of [120, 40, 120, 40] as const) {
    terminal.resize(columns);
    await terminal.eventually(isDrawnAnew[columns]);
  }
  assert.match(terminal.screen(), /^runs view:cache: \d+ s of at most/m);
  unlinkSync(held);
  await terminal.eventually(/EXIT \d/);
  assert.match(terminal.whole(), /^✓ \S+ Health check passed \(200\)[\s\S]*EXIT 0/m);
  assert.doesNotMatch(terminal.whole(), /^(?:deploy of|runs view:cache|probes)\b/m);
});

test('with --quiet a terminal shows the result alone', async (t) => {
  if (!needs(t, 'tmux')) return;
  const folder = temporaryFolder(t);
  const words = ['rehearse', '--quiet', '--scenario', 'single-replica', '--out', join(folder, 'run')];
  const terminal = tmux(t, 80, [process.execPath, program, ...words].join(' '), { HOME: folder });
  await terminal.eventually(/EXIT 0/);
  assert.match(terminal.whole(), /^PASS \(partial\): /);
  assert.doesNotMatch(terminal.whole(), /^[✓✗]|Run folder/m);
});
