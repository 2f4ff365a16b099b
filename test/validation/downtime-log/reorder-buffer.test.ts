import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inOrder } from '../../../src/validation/downtime-log/reorder-buffer.ts';

interface Line {
  readonly at: number;
  readonly millis: number;
  readonly id: number;
}

function sorted(lines: readonly Line[], timeoutSeconds: number): readonly Line[] {
  const passed: Line[] = [];
  const order = inOrder<number>(timeoutSeconds, (at, status, millis, id) => {
    assert.equal(status, 200);
    passed.push({ at, millis, id });
  });
  for (const { at, millis, id } of lines) order.push(at, 200, millis, id);
  order.flush();
  return passed;
}

/** Probes of a monitor, as their lines stand in the log: each written when it ends, at most ten seconds after its start. */
const written = fc
  .array(fc.record({ gap: fc.nat(300), millis: fc.oneof(fc.nat(50), fc.nat(10_000)) }), { maxLength: 300 })
  .map((probes) => {
    let at = 1_795_000_000_000;
    const lines = probes.map(({ gap, millis }, id): Line => {
      at += gap;
      return { at, millis, id };
    });
    return lines.toSorted((a, b) => a.at + a.millis - (b.at + b.millis));
  });

test('lines that stand in the order of their ends come out in the order of their starts', () => {
  fc.assert(
    fc.property(written, (lines) => {
      const passed = sorted(lines, 10);
      assert.deepEqual(
        passed,
        lines.toSorted((a, b) => a.at - b.at),
      );
    }),
  );
});

test('a line is not held back for longer than its followers need', () => {
  let passed = 0;
  let most = 0;
  const order = inOrder<undefined>(10, () => {
    passed += 1;
  });
  for (let i = 0; i < 100_000; i++) {
    order.push(i * 100, 200, 5, undefined);
    most = Math.max(most, i + 1 - passed);
  }
  assert.ok(most <= 112, `${most} lines were held back`);
});

test('a log that is out of all order is passed on all the same, in bounded memory', () => {
  let passed = 0;
  let most = 0;
  const order = inOrder<undefined>(10, () => {
    passed += 1;
  });
  for (let i = 0; i < 20_000; i++) {
    order.push(1_000_000 + (i % 2), 200, 0, undefined);
    most = Math.max(most, i + 1 - passed);
  }
  order.flush();
  assert.equal(passed, 20_000);
  assert.ok(most <= 2 ** 14 + 1);
});
