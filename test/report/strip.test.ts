import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cellSeconds, stripPainter } from '../../src/report/strip.ts';

const second = 1000;

test('a strip has at most as many cells as asked, and they cover the span', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 1, max: 500 }), (length, most) => {
      const { cells, secondsPerCell } = stripPainter({ from: 0, to: length }, most).end();
      assert.ok(cells.length <= most);
      assert.ok(cells.length * secondsPerCell * second >= length);
    }),
  );
});

test('a cell has the worst state painted into it, in any order', () => {
  const painter = stripPainter({ from: 0, to: 4 * second }, 2);
  painter.paint('b', 1 * second, 2 * second);
  painter.paint('g', 0, 4 * second);
  painter.paint('u', 2 * second, 3 * second);
  assert.deepEqual(painter.end(), { from: 0, to: 4000, secondsPerCell: 2, cells: 'bu' });
});

test('a sample of one second fills one cell of one second, wherever it began', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999 }), (phase) => {
      const painter = stripPainter({ from: 0, to: 10 * second }, 10);
      painter.paint('b', 3 * second + phase, 4 * second + phase);
      assert.equal(painter.end().cells, '...b......');
    }),
  );
});

test('states outside the span are not painted', () => {
  const painter = stripPainter({ from: 10 * second, to: 12 * second }, 10);
  painter.paint('b', 0, 10 * second);
  painter.paint('b', 12 * second, 20 * second);
  painter.paint('g', 5 * second, 11 * second);
  assert.equal(painter.end().cells, 'g.');
});

test('a last cell that lies partly outside the span shows nothing from after the span', () => {
  const painter = stripPainter({ from: 0, to: 1500 }, 10);
  painter.paint('g', 0, 2000);
  painter.paint('b', 1600, 1900);
  assert.equal(painter.end().cells, 'gg');
});

test('a cell has a round length, or whole days', () => {
  assert.equal(cellSeconds(200, 240), 1);
  assert.equal(cellSeconds(2080, 240), 10);
  assert.equal(cellSeconds(86_400, 240), 600);
  assert.equal(cellSeconds(86_400 * 10_000, 240) % 86_400, 0);
});
