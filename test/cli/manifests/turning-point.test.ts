import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lookedAt, turningPoint } from '../../../src/cli/manifests/turning-point.ts';
import type { Verdict } from '../../../src/validation/judge/run-result.ts';

const most = 600;

/** A verdict that turns once: `low` below that second, `high` from it on. */
const turnsOnce = (turn: number, low: Verdict, high: Verdict) => (seconds: number) => (seconds < turn ? low : high);

async function search(seconds: number, verdictOf: (seconds: number) => Verdict) {
  const asked: number[] = [];
  const verdictAt = async (at: number) => {
    asked.push(at);
    return verdictOf(at);
  };
  const found = await turningPoint({ seconds, verdict: verdictOf(seconds), mostSeconds: most, verdictAt });
  return { found, asked };
}

/** The nearest second with another verdict, above the value first. */
function fullSearch(seconds: number, verdictOf: (seconds: number) => Verdict) {
  const above = Array.from({ length: most - seconds }, (_, step) => seconds + 1 + step);
  const below = Array.from({ length: seconds }, (_, step) => seconds - 1 - step);
  const at = [...above, ...below].find((one) => verdictOf(one) !== verdictOf(seconds));
  return at === undefined ? null : { seconds: at, verdict: verdictOf(at) };
}

test('the turning point found equals that of a full search, in at most 24 rehearsals', async () => {
  const verdicts = fc.constantFrom<Verdict>('pass', 'fail', 'inconclusive', 'error');
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: most }),
      fc.integer({ min: 0, max: most + 1 }),
      verdicts,
      verdicts,
      async (seconds, turn, low, high) => {
        const verdictOf = turnsOnce(turn, low, high);
        const { found, asked } = await search(seconds, verdictOf);
        assert.deepEqual(found, fullSearch(seconds, verdictOf));
        assert.ok(asked.length <= 24, `${asked.length} rehearsals`);
      },
    ),
  );
});

test('a verdict that never turns is said not to, after a look from bound to bound', async () => {
  const { found, asked } = await search(7, () => 'pass');
  assert.equal(found, null);
  assert.deepEqual(
    asked.toSorted((a, b) => a - b),
    [...lookedAt.filter((at) => at < most), most],
  );
});

test('a verdict that turns and turns back before the bound is found, and said to turn again', async () => {
  const { found } = await search(5, (seconds) => (seconds >= 10 && seconds < 70 ? 'pass' : 'fail'));
  assert.deepEqual(found, { seconds: 10, verdict: 'pass', again: true });
  const below = await search(500, (seconds) => (seconds >= 10 && seconds < 70 ? 'fail' : 'pass'));
  assert.deepEqual(below.found, { seconds: 69, verdict: 'fail', again: true });
});

test('a rehearsal that cannot be judged does not hide where the verdict turns to a failure', async () => {
  const verdictOf = (seconds: number): Verdict => (seconds >= 30 ? 'fail' : seconds === 6 ? 'inconclusive' : 'pass');
  const { found } = await search(5, verdictOf);
  assert.deepEqual(found, { seconds: 30, verdict: 'fail' });
});

test('a value at which chance decides is a sign that the verdict may turn nearer', async () => {
  const verdictAt = async (at: number): Promise<Verdict> => (at >= 55 && at < 72 ? 'pass' : 'fail');
  const searched = { seconds: 5, verdict: 'fail', mostSeconds: most, verdictAt } as const;
  assert.equal(await turningPoint(searched), null);
  const found = await turningPoint({ ...searched, isChance: (at) => at === 80 });
  assert.deepEqual(found, { seconds: 55, verdict: 'pass', again: true });
  assert.equal(await turningPoint({ ...searched, isChance: (at) => at === 20 }), null);
});
