import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/host/clock.ts';

const clock = systemClock();

test('a sleep lasts as long as it should', async () => {
  const before = clock.monotonicSeconds();
  await clock.sleep(0.03);
  const slept = clock.monotonicSeconds() - before;
  assert.ok(slept >= 0.028 && slept < 5, `slept ${slept} s`);
});

test('an aborted sleep rejects with the reason, before it began and while it lasts', async () => {
  const reason = new Error('enough');
  await assert.rejects(clock.sleep(60, AbortSignal.abort(reason)), reason);
  const stopping = new AbortController();
  const sleep = clock.sleep(60, stopping.signal);
  stopping.abort(reason);
  await assert.rejects(sleep, reason);
});

test('a sleep that is longer than any timer, or endless, still sleeps', async () => {
  for (const seconds of [3_000_000, Number.POSITIVE_INFINITY]) {
    const reason = new Error('enough');
    const stopping = new AbortController();
    const sleep = clock.sleep(seconds, stopping.signal);
    const first = await Promise.race([
      sleep.then(
        () => 'woke',
        () => 'stopped',
      ),
      clock.sleep(0.02).then(() => 'still asleep'),
    ]);
    assert.equal(first, 'still asleep');
    stopping.abort(reason);
    await assert.rejects(sleep, reason);
  }
});

test('held work is awaited, and its result handed on', async () => {
  assert.equal(await clock.hold('adding', async () => 1 + 1), 2);
});

test('a sleep until a time in the past wakes at once, without a warning of Node', async (t) => {
  const warnings: string[] = [];
  const hear = (warning: Error) => warnings.push(warning.name);
  process.on('warning', hear);
  t.after(() => process.off('warning', hear));
  await clock.sleep(-12);
  await clock.sleep(0.01);
  assert.deepEqual(warnings, []);
});
