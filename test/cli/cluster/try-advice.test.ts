import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnRehearsal } from '../../../src/cli/cluster/rehearsal-run.ts';
import { triedAdvice } from '../../../src/cli/cluster/try-advice.ts';
import type { Advice } from '../../../src/cli/front-doors/front-door-advice.ts';
import type { RunResult } from '../../../src/validation/judge/run-result.ts';

const downtime = (seconds: number) => ({
  seconds,
  lowerSeconds: seconds,
  upperSeconds: seconds,
  slowSeconds: 0,
  span: { seconds, lowerSeconds: seconds, upperSeconds: seconds },
});
const resultOf = (seconds: Readonly<Record<string, number>>) =>
  ({
    scenarios: Object.entries(seconds).map(([name, lost]) => ({ name, downtime: downtime(lost) })),
  }) as unknown as RunResult;

const order = { own: {}, settings: {} } as OwnRehearsal;
const advice = (what: string, shortens: readonly string[]): Advice => ({
  what,
  because: 'of a reason',
  shortens,
  change: (own) => ({ ...own, notes: [what] }),
});

/** What is given where each change leads to these seconds, and what was rehearsed for it. */
async function given(lists: readonly (readonly Advice[])[], before: RunResult, after: Record<string, RunResult>) {
  const rehearsed: [unknown, readonly string[]][] = [];
  const found = await triedAdvice(lists, {
    order,
    result: before,
    rehearse: async ({ own, scenario, settings }) => {
      const key = own.notes?.[0] ?? settings.rehearse?.ingress ?? '';
      rehearsed.push([key, scenario]);
      return after[key];
    },
  });
  return { found: found.map(({ what, tried }) => [what, tried]), rehearsed };
}

test('advice is given where a rehearsal with it loses clearly less, and the next is tried where it does not', async () => {
  const list = [advice('too little', ['node-drain']), advice('enough', ['node-drain'])];
  const after = { 'too little': resultOf({ 'node-drain': 7 }), enough: resultOf({ 'node-drain': 0 }) };
  const { found, rehearsed } = await given([list], resultOf({ 'node-drain': 10 }), after);
  assert.deepEqual(found, [['enough', true]]);
  assert.deepEqual(rehearsed, [
    ['too little', ['node-drain']],
    ['enough', ['node-drain']],
  ]);
});

test('where visitors notice nothing no advice is tried, nor given', async () => {
  const { found, rehearsed } = await given([[advice('a', ['node-drain'])]], resultOf({ 'node-drain': 0.4 }), {});
  assert.deepEqual([found, rehearsed], [[], []]);
});

test('advice is tried in the two scenarios that cost most', async () => {
  const before = resultOf({ rollout: 3, 'node-drain': 9, 'scale-down': 5 });
  const list = [advice('a', ['rollout', 'node-drain', 'scale-down'])];
  const { rehearsed } = await given([list], before, { a: before });
  assert.deepEqual(rehearsed, [['a', ['node-drain', 'scale-down']]]);
});

test('what the proxies have already is given where they would lose without it', async () => {
  const installed: Advice = { what: 'policy', because: 'of a reason', shortens: ['ingress'], installed: 'official' };
  const good = resultOf({ ingress: 0 });
  const lost = await given([[installed]], good, { official: resultOf({ ingress: 12 }) });
  assert.deepEqual(lost.found, [['policy', true]]);
  assert.deepEqual((await given([[installed]], good, { official: good })).found, []);
});

test('what no rehearsal can try is given as untried', async () => {
  const { found } = await given([[{ what: 'a', because: 'b', shortens: [] }]], resultOf({}), {});
  assert.deepEqual(found, [['a', false]]);
});
