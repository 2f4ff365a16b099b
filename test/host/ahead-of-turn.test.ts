import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aheadOfTurn, type Work } from '../../src/host/ahead-of-turn.ts';

/** Turns of the microtask queue take the place of time. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await undefined;
}

test('results come in the order of their numbers, each piece is done once, and never more than eight are ahead of their turn', async () => {
  let byOthers = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(40),
      fc.array(fc.record({ readyAfter: fc.nat(60), turns: fc.nat(12) }), { maxLength: 3 }),
      fc.nat(12),
      async (count, threads, ownTurns) => {
        const begun: number[] = [];
        const given: number[] = [];
        const workOf =
          (slowness: number, isOther: boolean): Work<number> =>
          async (index) => {
            begun.push(index);
            if (isOther) byOthers += 1;
            assert.ok(begun.length - given.length <= 9, `${begun.length} begun, ${given.length} given`);
            await turns(slowness);
            return index;
          };
        const others = threads.map(async ({ readyAfter, turns: slowness }) => {
          await turns(readyAfter);
          return workOf(slowness, true);
        });
        for await (const result of aheadOfTurn(count, workOf(ownTurns, false), others)) given.push(result);
        const all = Array.from({ length: count }, (_, index) => index);
        assert.deepEqual(given, all);
        assert.deepEqual(
          begun.toSorted((a, b) => a - b),
          all,
        );
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(byOthers > 300, `${byOthers} were done by others`);
});

test('a failure is met when its turn comes, and a thread that does not become ready leaves its share to the rest', async () => {
  const given: number[] = [];
  const work: Work<number> = async (index) => {
    if (index === 3) throw new Error('the third');
    return index;
  };
  const failing = Promise.reject(new Error('no memory'));
  await assert.rejects(async () => {
    for await (const result of aheadOfTurn(6, work, [failing])) given.push(result);
  }, /the third/);
  assert.deepEqual(given, [0, 1, 2]);
});
