import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FollowedRun } from '../../src/dashboard/follow-run.ts';
import { stream } from '../../src/dashboard/stream.ts';
import type { Clock } from '../../src/host/host.ts';
import type { ValidationFact } from '../../src/validation/record/events.ts';
import { fact, runOf, scenarioFacts } from '../support/run-facts.ts';

const whole = runOf(scenarioFacts({ name: 'single-replica', from: 100 }));
const live = whole.slice(0, -1);

/** A followed run with the test's content and modification time. The clock advances by a second for each look. */
function looked(facts: readonly ValidationFact[]) {
  const now = { facts, writtenAt: 0, wallAt: 0 };
  const run: FollowedRun = {
    look: async () => undefined,
    readBytes: () => now.facts.length,
    writtenAt: () => now.writtenAt,
    evidence: () => ({ facts: now.facts, logs: [], rule: 'any', applications: [] }),
  };
  const clock: Clock = {
    wallAt: () => now.wallAt,
    monotonicSeconds: () => 0,
    hold: (_, work) => work(),
    async sleep(seconds) {
      now.wallAt += seconds * 1000;
    },
  };
  const pieces = stream(clock, run, new AbortController().signal);
  const next = async () => {
    for (;;) {
      const { value, done } = await pieces.next();
      if (done) return undefined;
      const [, data] = /^event: series\ndata: (.+)\n/.exec(value) ?? [];
      if (data !== undefined) return { ...JSON.parse(data), ends: value.includes('event: end\n') };
    }
  };
  return { now, next };
}

test('a live run is silent when nothing was written for 30 seconds by this machine’s clock, not that of the run', async () => {
  // The facts are of 2026 and this machine’s clock is in 1970: a rehearsal’s clock differs from ours, too.
  const { now, next } = looked(live);
  assert.equal((await next()).isSilent, false);
  const silence = await next();
  assert.deepEqual(silence, { isSilent: true, ends: false }, 'nothing else is new');
  assert.equal(now.wallAt, 31_000);
  now.writtenAt = now.wallAt;
  assert.deepEqual(await next(), { isSilent: false, ends: false });
  assert.equal(now.wallAt, 32_000);
});

test('a run that was killed long ago is silent at once', async () => {
  const { now, next } = looked(live);
  now.wallAt = 86_400_000;
  assert.equal((await next()).isSilent, true);
});

test('a run with an action to undo is followed until `recover` has undone it', async () => {
  const left = whole.filter(({ type }) => type !== 'action-undone');
  const { now, next } = looked(left);
  const first = await next();
  assert.deepEqual([first.endings.length, first.endings[0].verdict, first.ends], [1, 'error', false]);
  now.facts = [...left, fact(9000, { type: 'action-undone', id: 'single-replica 1', state: 'undone', because: '' })];
  const { endings, ends } = await next();
  assert.equal(ends, true);
  assert.equal(endings.length, 2);
  assert.equal(endings[0].verdict, 'error');
  assert.notEqual(endings[1].verdict, 'error');
  assert.equal(await next(), undefined);
});
