import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evictionBackOff } from '../../src/autoscaler/eviction-back-off.ts';

test('a refused eviction is asked for again after 100 ms, doubled up to 10 s, and at once after it was granted', () => {
  const backOff = evictionBackOff();
  const pauses: number[] = [];
  let at = 1_000_000;
  for (let refusal = 0; refusal < 9; refusal++) {
    assert.equal(backOff.isDue('pod', at), true);
    backOff.record('pod', true, at);
    const seconds = backOff.nextSeconds(at);
    pauses.push(seconds);
    assert.equal(backOff.isDue('pod', at + 1000 * seconds - 1), false);
    at += 1000 * seconds;
  }
  assert.deepEqual(pauses, [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10]);
  backOff.record('pod', false, at);
  backOff.record('pod', true, at);
  assert.equal(backOff.nextSeconds(at), 0.1);
  assert.equal(backOff.isDue('another', at), true);
});
