import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { liveRegion } from '../../../src/cli/terminal/live-region.ts';
import { erase, redraw } from '../../../src/cli/terminal/redraw.ts';
import { emulated } from '../../support/emulated-terminal.ts';

const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '検'), maxLength: 12 }).map((text) => text.trimEnd());
const lines = fc.array(line, { minLength: 1, maxLength: 6 });

test('whatever was drawn before, the screen shows the new lines and nothing else', () => {
  fc.assert(
    fc.property(fc.array(lines, { minLength: 1, maxLength: 6 }), (frames) => {
      const screen = emulated(25);
      screen.write('before\r\n');
      let drawn: readonly string[] = [];
      for (const frame of frames) {
        screen.write(redraw(drawn, frame, 25));
        drawn = frame;
        assert.deepEqual(screen.lines(), trimmed(['before', ...frame]));
      }
      screen.write(erase(drawn, 25));
      assert.deepEqual(screen.lines(), ['before']);
    }),
  );
});

test('a terminal that was made narrower has nothing left of the lines that it has wrapped', () => {
  fc.assert(
    fc.property(lines, lines, fc.integer({ min: 4, max: 24 }), (before, after, columns) => {
      const screen = emulated(25);
      screen.write('x\r\n');
      screen.write(redraw([], before, 25));
      screen.resize(columns);
      screen.write(erase(before, columns));
      const fitting = after.map((one) => one.slice(0, 2).trimEnd());
      screen.write(redraw([], fitting, columns));
      assert.deepEqual(screen.lines(), trimmed(['x', ...fitting]));
    }),
  );
});

const trimmed = (all: readonly string[]): readonly string[] => all.slice(0, all.findLastIndex((one) => one !== '') + 1);

function regionAt() {
  const written: string[] = [];
  let seconds = 0;
  let words = '0';
  const out = { write: (text: string) => void (text !== '' && written.push(text)), isTTY: true, columns: 40 };
  const clock = { monotonicSeconds: () => seconds, sleep: async () => {} };
  const region = liveRegion(out, clock, () => [words], false);
  const pass = (more: number): void => {
    seconds += more;
  };
  const say = (text: string): void => {
    words = text;
    region.touch();
  };
  const resize = (columns: number): void => {
    out.columns = columns;
  };
  return { written, region, pass, say, resize };
}

test('it is drawn at most 20 times a second, however often something changes', () => {
  const { written, pass, say } = regionAt();
  for (let change = 0; change < 1000; change++) {
    say(String(change));
    pass(0.001);
  }
  assert.ok(written.length <= 21, String(written.length));
  assert.ok(written.length >= 15, String(written.length));
});

test('what has not changed is not drawn again', () => {
  const { written, pass, say } = regionAt();
  for (let second = 0; second < 60; second++) {
    say('the same');
    pass(1);
  }
  assert.equal(written.length, 1);
});

test('a question hides it until there is an answer', () => {
  const { written, region, pass, say } = regionAt();
  say('live');
  region.write('Type yes to begin: ');
  pass(10);
  say('live again');
  assert.match(written.at(-1) ?? '', /^Type yes/);
  region.show();
  pass(10);
  say('live once more');
  assert.match(written.at(-1) ?? '', /live once more/);
});

test('while the window is resized nothing is written, and then all that has waited', () => {
  const { written, region, pass, say, resize } = regionAt();
  say('live');
  resize(20);
  region.write('one\n');
  pass(0.2);
  resize(30);
  region.write('two\n');
  pass(0.2);
  say('live');
  assert.equal(written.length, 1);
  pass(0.2);
  say('live');
  assert.deepEqual(written.slice(2, 3), ['one\ntwo\n']);
});
