import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tmux } from '../../support/tmux.ts';

const program = join(import.meta.dirname, '../../../bin/holdfast.js');
const rehearse = (out: string): string =>
  `${process.execPath} ${program} rehearse --scenario single-replica --out ${out}`;
const colours = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*3[1-3]m`);

test('a run on a terminal has a live region that follows the width, and is gone at the end', (t) => {
  if (!needs(t, 'tmux')) return;
  const folder = temporaryFolder(t);
  const terminal = tmux(t, 120, rehearse(join(folder, 'run')), { HOME: folder });
  terminal.until(/^waits until/m);
  for (const columns of [80, 40]) {
    terminal.resize(columns);
    terminal.until(/^waits |EXIT/m);
  }
  const shown = terminal.until(/^still to undo \d: \S+ of|EXIT/m);
  assert.match(shown, /^Phase 4, scenario 1 of 1: Single$/m);
  assert.match(shown, /^ {2}replica, for \d+ s$/m);
  assert.match(shown, /^probes [▁▄█?]+$/m);
  assert.match(shown, /^downtime so far /m);
  assert.match(shown, /^pods \d: /m);
  assert.match(shown, /^nodes \d: /m);
  terminal.until(/EXIT 0/);
  const whole = terminal.whole();
  assert.match(whole, /^✓ 00:\d\d:\d\d Single replica: 3\.0 s of$/m);
  assert.match(whole, /^PASS \(partial\)/m);
  assert.doesNotMatch(whole, /^(waits|probes|downtime so far|still to undo|Phase 4)/m, 'the live region is not gone');
  // What was printed before the window was made narrower is wrapped by the terminal, and the folder of a test is a word longer than a line.
  assert.deepEqual(
    terminal.broken().filter((line) => !line.includes(folder) && !line.includes('Pre-check')),
    [],
  );
});

test('colours are for terminals, and marks are read without them', (t) => {
  if (!needs(t, 'tmux')) return;
  const folder = temporaryFolder(t);
  const env = { HOME: folder };
  const coloured = tmux(t, 80, rehearse(join(folder, 'a')), env);
  const plain = tmux(t, 80, rehearse(join(folder, 'b')), { ...env, NO_COLOR: '1' });
  const dumb = tmux(t, 80, rehearse(join(folder, 'c')), { ...env, TERM: 'dumb' });
  for (const one of [coloured, plain, dumb]) one.until(/EXIT 0/);
  assert.match(coloured.screen({ colours: true }), colours);
  for (const one of [plain, dumb]) assert.doesNotMatch(one.screen({ colours: true }), colours);
  assert.match(plain.whole(), /^✓ 00:\d\d:\d\d Pods running: 2 pods ready$/m);
  assert.equal(plain.whole().replaceAll(`${folder}/b`, 'RUN'), coloured.whole().replaceAll(`${folder}/a`, 'RUN'));
  assert.match(dumb.whole(), /^pass Single replica, 3\.0 s of downtime \(00:\d\d:\d\d\)$/m);
  for (const one of [coloured, plain, dumb])
    assert.deepEqual(
      one.broken().filter((line) => !line.includes(folder)),
      [],
    );
});
