import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createResolver } from '../../src/dns/resolver.ts';
import { createZone } from '../../src/dns/zone.ts';

const name = 'app.example.com';
const record = (ttlSeconds = 300) =>
  ({ name, type: 'CNAME', ttlSeconds, values: ['lb.elb.us-east-1.amazonaws.com'] }) as const;

function world(negativeTtlSeconds = 60) {
  let now = 0;
  const zone = createZone({ name: 'example.com', now: () => now, negativeTtlSeconds, propagationSeconds: () => 20 });
  const cloud = {
    name: 'elb.us-east-1.amazonaws.com',
    negativeTtlSeconds: 60,
    answer: () => ({ code: 'NOERROR', records: [{ type: 'A', value: '52.1.1.10', ttlSeconds: 60 }] }) as const,
  };
  const resolver = createResolver([zone, cloud], () => now);
  return {
    zone,
    at: (seconds: number) => {
      now = 1000 * seconds;
      return {
        system: resolver.resolve(name, 'A'),
        authority: zone.answer(name, 'CNAME'),
      };
    },
    change: (seconds: number, action: 'upsert' | 'delete', ttl?: number) => {
      now = 1000 * seconds;
      zone.change([{ action, set: record(ttl) }]);
    },
  };
}

const code = ({ system }: ReturnType<ReturnType<typeof world>['at']>) => system.answer.code;

test('a changed record set is listed at once, and answered after propagation', () => {
  const { zone, at, change } = world();
  change(0, 'upsert');
  assert.equal(zone.list().length, 1);
  assert.equal(at(19).authority.code, 'NXDOMAIN');
  assert.equal(at(20).authority.code, 'NOERROR');
});

test('a CNAME is followed to the addresses of the load balancer', () => {
  const { at, change } = world();
  change(0, 'upsert');
  assert.deepEqual(
    at(20).system.answer.records.map(({ type, value }) => [type, value]),
    [
      ['CNAME', 'lb.elb.us-east-1.amazonaws.com'],
      ['A', '52.1.1.10'],
    ],
  );
});

test('a Route 53 alias record is answered with the addresses of its target, and with NODATA if that has none', () => {
  const zone = createZone({
    name: 'example.com',
    now: () => 0,
    negativeTtlSeconds: 60,
    propagationSeconds: () => 0,
    resolveAlias: (target, type) =>
      target === 'lb.example.org' && type === 'A'
        ? { code: 'NOERROR', records: [{ type, value: '52.1.1.10', ttlSeconds: 60 }] }
        : { code: 'NXDOMAIN', records: [] },
  });
  const alias = { zoneId: 'Z1', evaluatesTargetHealth: true };
  for (const type of ['A', 'AAAA'] as const)
    zone.change([{ action: 'upsert', set: { name, type, ttlSeconds: null, values: ['lb.example.org'], alias } }]);
  assert.deepEqual(zone.answer(name, 'A').records, [{ type: 'A', value: '52.1.1.10', ttlSeconds: 60 }]);
  assert.deepEqual(
    [zone.answer(name, 'AAAA').code, zone.answer(name, 'TXT').code, zone.answer('b.example.com', 'A').code],
    ['NODATA', 'NODATA', 'NXDOMAIN'],
  );
});

test('a resolver that was asked before the record existed answers NXDOMAIN until the negative TTL is over', () => {
  const { at, change } = world(60);
  assert.equal(code(at(5)), 'NXDOMAIN');
  change(5, 'upsert');
  assert.equal(code(at(30)), 'NXDOMAIN');
  assert.equal(code(at(64)), 'NXDOMAIN');
  assert.equal(code(at(65)), 'NOERROR');
});

test('a deleted record is answered from the cache until its TTL is over, and a record that is back is missed until the negative TTL is over', () => {
  const { at, change } = world(60);
  change(0, 'upsert', 300);
  assert.equal(code(at(100)), 'NOERROR');
  change(110, 'delete');
  assert.equal(at(140).authority.code, 'NXDOMAIN');
  const { answer } = at(399).system;
  assert.equal(answer.code, 'NOERROR');
  assert.equal(answer.records.find(({ type }) => type === 'CNAME')?.ttlSeconds, 1);
  assert.equal(code(at(400)), 'NXDOMAIN');
  change(401, 'upsert', 300);
  assert.equal(at(421).authority.code, 'NOERROR');
  assert.equal(code(at(459)), 'NXDOMAIN');
  assert.equal(code(at(460)), 'NOERROR');
});
