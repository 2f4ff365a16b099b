import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutageKind } from '../../../src/validation/downtime/outage-kind.ts';
import { outageWatch, type Turn } from '../../../src/validation/monitor/outage-watch.ts';

/** The turns of a target, of whose samples one comes each second: `.` is a good one, `x` a bad one. */
function turns(inARow: number, samples: string): readonly Turn[] {
  const watch = outageWatch(inARow);
  return [...samples].flatMap((one, second) => watch('a', 1000 * second, one === '.' ? undefined : '503') ?? []);
}

test('a target is down after so many bad samples in a row, from the first, and up after so many good ones', () => {
  assert.deepEqual(turns(1, '..x.'), [
    { type: 'down', target: 'a', from: 2000, kind: '503' },
    { type: 'up', target: 'a', from: 2000, to: 3000, kinds: ['503'] },
  ]);
  assert.deepEqual(turns(3, '.xx.xx.x.xxxx.xx.x...xx'), [
    { type: 'down', target: 'a', from: 9000, kind: '503' },
    { type: 'up', target: 'a', from: 9000, to: 18_000, kinds: ['503'] },
  ]);
  assert.deepEqual(turns(3, 'xx.xx.xx'), []);
});

test('targets are watched apart, and each outage has its own kinds', () => {
  const watch = outageWatch(1);
  const seen = [
    ['a', 'refused'],
    ['b', undefined],
    ['a', '503'],
    ['a', undefined],
    ['a', 'slow'],
    ['a', undefined],
  ] as const;
  const said = seen.flatMap(([target, kind], second) => watch(target, second, kind as OutageKind | undefined) ?? []);
  assert.deepEqual(
    said.map((turn) => (turn.type === 'up' ? turn.kinds : turn.kind)),
    ['refused', ['refused', '503'], 'slow', ['slow']],
  );
});
