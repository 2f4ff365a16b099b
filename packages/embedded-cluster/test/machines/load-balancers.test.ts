import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLoadBalancers, openTargets } from '../../src/machines/load-balancers.ts';

const wanted = { ports: { 80: 'http' }, activeAt: 0, hostname: 'lb.elb.us-east-1.amazonaws.com' };

function balancer() {
  let now = 0;
  const all = createLoadBalancers(() => now);
  all.ensure('ns/svc', wanted);
  const open = () => openTargets(all.of('ns/svc') as never, now).map(({ id }) => id);
  return {
    all,
    open,
    set: (ids: readonly string[], drainedAt = 0) => all.setTargets('ns/svc', ids, drainedAt),
    check: (alive: readonly string[]) => all.check((id) => alive.includes(id)),
    at: (instant: number) => {
      now = instant;
    },
  };
}

test('a target is healthy after three good health checks in a row, and unhealthy after three bad ones', () => {
  const { open, set, check, all } = balancer();
  set(['a', 'b']);
  const healthy = () =>
    all
      .of('ns/svc')
      ?.targets.filter((target) => target.healthy)
      .map(({ id }) => id);
  check(['a']);
  check(['a']);
  assert.deepEqual(healthy(), []);
  check(['a']);
  assert.deepEqual(healthy(), ['a']);
  check([]);
  check([]);
  assert.deepEqual(open(), ['a']);
  check([]);
  assert.deepEqual(healthy(), []);
});

test('with no healthy target all are used (fail open); without targets there is none to use', () => {
  const { open, set } = balancer();
  assert.deepEqual(open(), []);
  set(['a', 'b']);
  assert.deepEqual(open(), ['a', 'b']);
});

test('a deregistered target gets new connections until its deregistration is over, and can be registered again', () => {
  const { open, set, check, at } = balancer();
  set(['a', 'b']);
  for (const _ of [1, 2, 3]) check(['a', 'b']);
  set(['a'], 60_000);
  at(59_000);
  assert.deepEqual(open(), ['a', 'b']);
  at(60_000);
  assert.deepEqual(open(), ['a']);
  set(['a', 'b'], 200_000);
  for (const _ of [1, 2, 3]) check(['a', 'b']);
  assert.deepEqual(open(), ['a', 'b']);
});

test('the load balancer’s name has one address a zone, with a TTL of 60 s', () => {
  const { all } = balancer();
  const answer = all.answer(wanted.hostname, 'A');
  assert.equal(answer.records.length, 3);
  assert.ok(answer.records.every(({ ttlSeconds }) => ttlSeconds === 60));
  assert.equal(all.answer('other.elb.us-east-1.amazonaws.com', 'A').code, 'NXDOMAIN');
});
