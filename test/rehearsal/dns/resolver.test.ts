import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesTo, recordsOf } from '../../../src/rehearsal/controllers/dns-automation.ts';
import { createResolver } from '../../../src/rehearsal/dns/resolver.ts';
import { createZone } from '../../../src/rehearsal/dns/zone.ts';
import { ingress } from '../support/objects.ts';

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

test('a record is asked for at once, and answered when the change has spread', () => {
  const { zone, at, change } = world();
  change(0, 'upsert');
  assert.equal(zone.list().length, 1);
  assert.equal(at(19).authority.code, 'NXDOMAIN');
  assert.equal(at(20).authority.code, 'NOERROR');
});

test('an alias is followed to the load balancer’s addresses', () => {
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

test('an alias of Route 53’s own kind is answered with what is behind it, and has no data where that has none', () => {
  const zone = createZone({
    ...{ name: 'example.com', now: () => 0, negativeTtlSeconds: 60, propagationSeconds: () => 0 },
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

test('who asked before the record was there is told so for the negative TTL more', () => {
  const { at, change } = world(60);
  assert.equal(code(at(5)), 'NXDOMAIN');
  change(5, 'upsert');
  assert.equal(code(at(30)), 'NXDOMAIN');
  assert.equal(code(at(64)), 'NXDOMAIN');
  assert.equal(code(at(65)), 'NOERROR');
});

test('a deleted record lives on in caches for its TTL, counting down, and then is missed for the negative TTL', () => {
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

const withAddress = {
  ...ingress,
  status: { loadBalancer: { ingress: [{ hostname: 'lb.elb.us-east-1.amazonaws.com' }] } },
};

test('external-dns wants a CNAME and its owner’s TXT for the annotation’s name, once there is an address', () => {
  assert.deepEqual(recordsOf(ingress, 'example.com'), []);
  const wanted = recordsOf(withAddress, 'example.com');
  assert.deepEqual(
    wanted.map((set) => [set.type, set.name, set.ttlSeconds]),
    [
      ['CNAME', 'app.example.com', 300],
      ['TXT', 'cname-app.example.com', 300],
    ],
  );
  assert.match(
    wanted[1]?.values[0] ?? '',
    /external-dns\/owner=default,external-dns\/resource=ingress\/default\/nginx-test/,
  );
  assert.deepEqual(recordsOf(withAddress, 'other.org'), []);
});

test('external-dns heals what somebody deleted, takes back what nobody wants, and never touches what is not its own', () => {
  const wanted = recordsOf(withAddress, 'example.com');
  const [cname] = wanted;
  assert.ok(cname);
  assert.deepEqual(changesTo(wanted, wanted), []);
  assert.deepEqual(
    changesTo(
      wanted.filter(({ type }) => type === 'TXT'),
      wanted,
    ).map(({ action, set }) => [action, set.type]),
    [['upsert', 'CNAME']],
  );
  assert.deepEqual(
    changesTo(wanted, []).map(({ action, set }) => [action, set.type]),
    [
      ['delete', 'CNAME'],
      ['delete', 'TXT'],
    ],
  );
  const foreign = { ...cname, values: ['elsewhere.example.org'] };
  assert.deepEqual(changesTo([foreign], wanted), []);
  assert.deepEqual(changesTo([foreign], []), []);
});
