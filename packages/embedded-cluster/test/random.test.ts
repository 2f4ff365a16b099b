import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { randomStreams } from '../src/outside/random.ts';

const draws = (stream: () => number, count: number) => Array.from({ length: count }, stream);

test('the same seed and name give the same numbers, all in [0, 1)', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (seed, name) => {
      const numbers = draws(randomStreams(seed)(name), 20);
      assert.deepEqual(draws(randomStreams(seed)(name), 20), numbers);
      assert.ok(numbers.every((number) => number >= 0 && number < 1));
    }),
  );
});

test('a further draw from one stream changes no other', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(50), (seed, more) => {
      const [quiet, busy] = [randomStreams(seed), randomStreams(seed)];
      draws(busy('scheduler'), more);
      assert.deepEqual(draws(busy('monitor'), 10), draws(quiet('monitor'), 10));
    }),
  );
});

test('a stream that is requested again continues where it stopped', () => {
  const streams = randomStreams('1');
  const numbers = [streams('monitor')(), streams('monitor')(), streams('monitor')()];
  assert.deepEqual(numbers, draws(randomStreams('1')('monitor'), 3));
});

test('other seeds and other names give other numbers, spread evenly', () => {
  const firsts = Array.from({ length: 10_000 }, (_, i) => randomStreams(String(i % 100))(`pod-${i}`)());
  assert.equal(new Set(firsts).size, firsts.length);
  for (const tenth of Array.from({ length: 10 }, (_, i) => i)) {
    const share = firsts.filter((number) => Math.floor(number * 10) === tenth).length;
    assert.ok(share > 880 && share < 1120, `${share} of 10,000 in tenth ${tenth}`);
  }
});
