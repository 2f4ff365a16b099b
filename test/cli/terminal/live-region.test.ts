import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { erase, liveRegion, redraw } from '../../../src/cli/terminal/live-region.ts';
import { emulated } from '../../support/emulated-terminal.ts';

const line = fc.string({ unit: fc.constantFrom('a', 'b', '検'), minLength: 1, maxLength: 12 });
const lines = fc.array(line, { minLength: 1, maxLength: 6 });
const height = 30;

test('whatever was drawn before, the last rows of the window show the new lines, and nothing else is below the text', () => {
  fc.assert(
    fc.property(fc.array(lines, { minLength: 1, maxLength: 6 }), fc.nat({ max: 40 }), (frames, before) => {
      const screen = emulated(25, height);
      const texts = Array.from({ length: before }, (_, number) => `text ${number}`);
      screen.write(texts.map((text) => `${text}\r\n`).join(''));
      let last = 0;
      for (const frame of frames) {
        screen.write(redraw(frame, frame.length !== last));
        last = frame.length;
        assert.deepEqual(screen.lines(), [...texts, ...frame]);
        assert.equal(screen.below(), 0);
      }
      screen.write(erase());
      assert.deepEqual(screen.lines(), texts);
    }),
  );
});

/** In the narrowest width the tallest region has 24 rows: one that has more than the window cannot be kept in it. */
test('a terminal whose width changes at any moment, unknown to the program, has nothing left of what was drawn', () => {
  const width = fc.integer({ min: 6, max: 30 });
  const drawings = fc.array(fc.record({ frame: lines, columns: width, said: fc.boolean(), isKnown: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(drawings, width, fc.nat({ max: 40 }), (all, last, before) => {
      const screen = emulated(25, height);
      screen.write('x\r\n'.repeat(before));
      for (const { frame, columns, said, isKnown } of all) {
        screen.write(redraw(frame, true));
        screen.resize(columns);
        if (isKnown) screen.write(redraw(frame, true));
        if (said) screen.write(`${erase()}it\r\n`);
      }
      screen.resize(last);
      screen.write(erase());
      const its = all.filter(({ said }) => said).map(() => 'it');
      assert.deepEqual(screen.lines(), [...Array.from({ length: before }, () => 'x'), ...its]);
    }),
  );
});

function regionAt() {
  const written: string[] = [];
  let seconds = 0;
  let words = '0';
  const out = { write: (text: string) => void (text !== '' && written.push(text)), isTTY: true, columns: 40, rows: 10 };
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

test('what is said stays above it, in the order in which it came', () => {
  const { written, region, pass, say } = regionAt();
  say('live');
  region.write('one\n');
  region.write('two\n');
  pass(1);
  say('live');
  const screen = emulated(40);
  for (const text of written) screen.write(text.replaceAll(/(?<!\r)\n/g, '\r\n'));
  assert.deepEqual(screen.lines(), ['one', 'two', 'live']);
});

test('in another width it is drawn anew, changed or not', () => {
  const { written, pass, say, resize } = regionAt();
  say('the same');
  resize(20);
  pass(1);
  say('the same');
  assert.equal(written.length, 2);
});
