import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualClock } from '@holdfast/embedded-cluster';
import { virtualClock } from '../../packages/embedded-cluster/src/time/clock.ts';
import { ApiError } from '../../src/cluster/cluster.ts';
import { poll } from '../../src/cluster/poll.ts';
import { retryRead } from '../../src/cluster/retry-read.ts';
import { OperationError } from '../../src/host/errors.ts';

const silence = (n: number) => new OperationError({ tried: 'get', on: 'Pod a', reason: `nothing, for the ${n}. time` });
const refusal = (status: number) => new ApiError({ tried: 'get', on: 'Pod a', status, reason: '', message: '' });

interface Scene {
  readonly clock: VirtualClock;
  readonly waiting: {
    readonly site: { readonly host: { readonly clock: VirtualClock } };
    readonly signal: AbortSignal;
  };
  readonly stop: AbortController;
  readonly seconds: () => number;
}

function scene(main: (scene: Scene) => Promise<void>): Promise<void> {
  const clock = virtualClock(Date.parse('2026-11-20T10:00:00Z'), { stallTimeoutSeconds: 5 });
  const stop = new AbortController();
  const waiting = { site: { host: { clock } }, signal: stop.signal };
  return clock.run(() => main({ clock, waiting, stop, seconds: () => clock.monotonicSeconds() }));
}

test('the condition is checked once a second, until it holds or the limit has passed', () =>
  scene(async ({ waiting, seconds }) => {
    const from = seconds();
    let looks = 0;
    assert.equal(await poll(waiting, 720, () => ++looks === 5), true);
    assert.deepEqual([looks, seconds() - from], [5, 4]);
    assert.equal(await poll(waiting, 720, async () => false), false);
    assert.equal(seconds() - from, 4 + 720);
    assert.equal(await poll(waiting, 0, () => true), true, 'one look there always is');
  }));

test('a check without an answer counts as "not yet"', () =>
  scene(async ({ waiting, seconds }) => {
    const from = seconds();
    const away = async () => {
      if (seconds() - from < 60) throw silence(1);
      if (seconds() - from < 70) throw refusal(503);
      return seconds() - from >= 80;
    };
    assert.equal(await poll(waiting, 720, away), true);
    assert.equal(seconds() - from, 80);
  }));

test('at the limit the last error is thrown, unless the last check was answered', () =>
  scene(async ({ waiting, seconds }) => {
    let looks = 0;
    const from = seconds();
    const away = () => Promise.reject(silence(++looks));
    await assert.rejects(poll(waiting, 30, away), { message: 'get Pod a: nothing, for the 31. time' });
    assert.equal(seconds() - from, 30);
    const awayLater = async () => (seconds() - from < 50 ? false : away());
    await assert.rejects(poll(waiting, 30, awayLater), { name: 'OperationError' });
    assert.equal(seconds() - from, 60, 'one limit, not one for each silence');
    assert.equal(
      await poll(waiting, 30, () => {
        if (seconds() - from < 89) throw silence(1);
        return false;
      }),
      false,
    );
  }));

test('a final refusal and a defect end the polling at once', () =>
  scene(async ({ waiting, seconds }) => {
    const from = seconds();
    for (const error of [refusal(403), refusal(404), refusal(422), new TypeError('x is not a function')])
      await assert.rejects(
        poll(waiting, 720, () => Promise.reject(error)),
        (thrown) => thrown === error,
      );
    assert.equal(seconds(), from);
  }));

test('a signal ends the polling at once with its reason, also while the server does not answer', () =>
  scene(async ({ clock, waiting, stop, seconds }) => {
    const reason = new OperationError({ tried: 'Holding', on: 'the lease', reason: 'another run has it' });
    void clock.sleep(5.5).then(() => stop.abort(reason));
    await assert.rejects(
      poll(waiting, 720, () => Promise.reject(silence(1))),
      (thrown) => thrown === reason,
    );
    assert.equal(seconds(), 5.5);
    await assert.rejects(
      retryRead(waiting, 0, () => Promise.reject(silence(1))),
      (thrown) => thrown === reason,
    );
  }));

test('a read is retried without a signal too, and its result returned', () =>
  scene(async ({ clock, seconds }) => {
    let asked = 0;
    const read = async () => (asked++ < 3 ? Promise.reject(silence(asked)) : 'Running');
    assert.equal(await retryRead({ site: { host: { clock } } }, 60, read), 'Running');
    assert.equal(seconds(), 3);
  }));
