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
      for (const frame of frames) {
        screen.write(redraw(frame));
        assert.deepEqual(screen.lines(), trimmed(['before', ...frame]));
      }
      screen.write(erase());
      assert.deepEqual(screen.lines(), ['before']);
    }),
  );
});

test('a terminal whose width changes at any moment, unknown to the program, has nothing left of what was drawn', () => {
  const width = fc.integer({ min: 4, max: 30 });
  const drawings = fc.array(fc.record({ frame: lines, columns: width, said: fc.boolean() }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(drawings, width, (all, last) => {
      const screen = emulated(25);
      for (const { frame, columns, said } of all) {
        screen.write(redraw(frame));
        screen.resize(columns);
        if (said) screen.write(`${erase()}it\r\n`);
      }
      screen.resize(last);
      screen.write(erase());
      assert.deepEqual(
        screen.lines(),
        all.filter(({ said }) => said).map(() => 'it'),
      );
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
