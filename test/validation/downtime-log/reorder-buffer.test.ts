import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LoggedSample } from '../../../src/validation/downtime-log/downtime-log.ts';
import { reorderBuffer } from '../../../src/validation/downtime-log/reorder-buffer.ts';

interface Line {
  readonly at: number;
  readonly millis: number;
  readonly id: number;
}

/** The id is passed as the status, which may be any number here. */
const sampleOf = ({ at, millis, id }: Line): LoggedSample => ({
  at,
  status: id,
  millis,
  extra: { connection: 'new' },
  unknownTicks: 0,
});

function sorted(lines: readonly Line[], timeoutSeconds: number): readonly Line[] {
  const passed: Line[] = [];
  const buffer = reorderBuffer(timeoutSeconds, ({ at, status, millis }) => {
    passed.push({ at, millis, id: status });
  });
  const record = sampleOf({ at: 0, millis: 0, id: 0 });
  // One record for all lines, as the scanner has it.
  for (const line of lines) buffer.push(Object.assign(record, sampleOf(line)));
  buffer.flush();
  return passed;
}

/** Probes in the order of their lines in the log: each is written when it ends, at most ten seconds after its start. */
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

test('samples that were written in the order of their ends are passed on in the order of their starts', () => {
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

test('a sample is held back only until no earlier one can come any more', () => {
  let passed = 0;
  let most = 0;
  const buffer = reorderBuffer(10, () => {
    passed += 1;
  });
  for (let i = 0; i < 100_000; i++) {
    buffer.push(sampleOf({ at: i * 100, millis: 5, id: i }));
    most = Math.max(most, i + 1 - passed);
  }
  assert.ok(most <= 112, `${most} samples were held back`);
});

test('a log without any order is passed on completely, in bounded memory', () => {
  let passed = 0;
  let most = 0;
  const buffer = reorderBuffer(10, () => {
    passed += 1;
  });
  for (let i = 0; i < 20_000; i++) {
    buffer.push(sampleOf({ at: 1_000_000 + (i % 2), millis: 0, id: i }));
    most = Math.max(most, i + 1 - passed);
  }
  buffer.flush();
  assert.equal(passed, 20_000);
  assert.ok(most <= 2 ** 14 + 1);
});
