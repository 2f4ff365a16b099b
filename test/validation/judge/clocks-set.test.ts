import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clocksSet } from '../../../src/validation/judge/clocks-set.ts';
import { fact, started } from '../../support/run-facts.ts';

test('a clock that was set while its log was followed is a warning that says when and by how much', () => {
  const told = clocksSet([
    started(),
    fact(60, { type: 'log-clock-set', file: 'downtime-2.log', seconds: 0.8 }),
    fact(90, { type: 'log-clock-set', file: 'downtime.log', seconds: -2 }),
  ]);
  assert.deepEqual(
    told.map(({ severity, subject }) => [severity, subject]),
    [
      ['warning', 'downtime-2.log'],
      ['warning', 'downtime.log'],
    ],
  );
  assert.match(told[0]?.observed ?? '', /^it was set ahead by 0\.8 s, .* before \d{4}-/);
  assert.match(told[1]?.observed ?? '', /^it was set back by 2\.0 s/);
  assert.deepEqual(clocksSet([started()]), []);
});
