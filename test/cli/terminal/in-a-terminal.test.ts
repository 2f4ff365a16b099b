import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tmux } from '../../support/tmux.ts';

const program = join(import.meta.dirname, '../../../bin/holdfast.js');
const rehearse = (out: string, ...words: readonly string[]): string =>
  [process.execPath, program, 'rehearse', '--out', out, ...words].join(' ');
const single = ['--scenario', 'single-replica'];
const colours = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*3[1-3]m`);

test('a run on a terminal has a live region that follows the width, and is gone at the end', (t) => {
  if (!needs(t, 'tmux')) return;
  const folder = temporaryFolder(t);
  // All ten scenarios: a shorter run could end between two looks.
  const terminal = tmux(t, 120, rehearse(join(folder, 'run')), { HOME: folder });
  terminal.until(/^waits |EXIT/m);
  for (const columns of [80, 40]) {
    terminal.resize(columns);
    terminal.until(/^waits |EXIT/m);
  }
  const shown = terminal.until(/^still to undo \d: \S+ of|EXIT/m);
  assert.match(shown, /^Phase 4, scenario \d+ of 10: /m);
  assert.match(shown, /^probes [▁▄█?]+$/m);
  assert.match(shown, /^downtime so far /m);
  assert.match(shown, /^pods \d: /m);
  assert.match(shown, /^nodes \d: /m);
  terminal.until(/EXIT 0/);
  const whole = terminal.whole();
  assert.match(whole, /^✓ 00:\d\d:\d\d Single replica: [\d.–]+ s of$/m);
  assert.match(whole, /^PASS: six criteria met/m);
  // What was printed before the window was made narrower is wrapped by the terminal, and the folder of a test is a word
  // longer than a line.
  const narrow = whole.slice(whole.indexOf('Single replica: '));
  assert.doesNotMatch(narrow, /^(waits|probes|downtime so far|still to undo|Phase 4)/m, 'the live region is not gone');
  assert.deepEqual(
    terminal.broken().filter((line) => narrow.includes(line.slice(0, 30)) && !line.includes(folder)),
    [],
  );
});

test('colours are for terminals, and marks are read without them', (t) => {
  if (!needs(t, 'tmux')) return;
  const folder = temporaryFolder(t);
  const env = { HOME: folder };
  const coloured = tmux(t, 80, rehearse(join(folder, 'a'), ...single), env);
  const plain = tmux(t, 80, rehearse(join(folder, 'b'), ...single), { ...env, NO_COLOR: '1' });
  const dumb = tmux(t, 80, rehearse(join(folder, 'c'), ...single), { ...env, TERM: 'dumb' });
  for (const one of [coloured, plain, dumb]) one.until(/EXIT 0/);
  assert.match(coloured.screen({ colours: true }), colours);
  for (const one of [plain, dumb]) assert.doesNotMatch(one.screen({ colours: true }), colours);
  assert.match(plain.whole(), /^✓ 00:\d\d:\d\d Pods running: 2 pods ready$/m);
  assert.equal(plain.whole().replaceAll(`${folder}/b`, 'RUN'), coloured.whole().replaceAll(`${folder}/a`, 'RUN'));
  assert.match(dumb.whole(), /^pass Single replica, [\d.–]+ s of downtime(, [\d–]+ % of requests)? \(00:\d\d:\d\d\)$/m);
  for (const one of [coloured, plain, dumb])
    assert.deepEqual(
      one.broken().filter((line) => !line.includes(folder)),
      [],
    );
});
