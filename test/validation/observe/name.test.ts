import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperationError } from '../../../src/host/errors.ts';
import type { DnsAnswer, Host } from '../../../src/host/host.ts';
import { observeName } from '../../../src/validation/observe/name.ts';
import type { Observing } from '../../../src/validation/observe/observation.ts';
import type { Observed } from '../../../src/validation/record/observed.ts';
import { type CloudSite, cloudSite, inSyncSeconds, record } from '../../support/cloud-site.ts';
import { settings } from '../../support/measured.ts';

const answer = (...values: readonly string[]): DnsAnswer => ({
  code: values.length === 0 ? 'NXDOMAIN' : 'NOERROR',
  records: values.map((value) => ({ type: /^\d/.test(value) ? 'A' : 'CNAME', value, ttlSeconds: 300 })),
});

/** Observes for so many seconds; the resolver answers as the test says, the authoritative server from the zone. */
async function watch(at: CloudSite, seconds: number, resolver: () => DnsAnswer): Promise<readonly string[]> {
  const resolve: Host['resolve'] = async ({ name, type, server }) => {
    if (server !== undefined) return at.zone.answer(name, type);
    return name === 'ns-1.example.net' ? answer('10.9.9.9') : resolver();
  };
  const seen: Observed[] = [];
  const ending = new AbortController();
  const run = { site: { host: { ...at.host, resolve }, cloud: at.cloud }, settings } as unknown as Observing;
  const watching = observeName(run, (one) => void seen.push(one), ending.signal);
  await at.clock.sleep(seconds);
  ending.abort();
  await watching;
  return seen.map((one) => (one.type === 'name-seen' ? `${one.by} ${one.code} ${one.values.join()}` : one.type));
}

test('each source is reported once, and again only when its answer changes', () =>
  cloudSite(async (at) => {
    at.put(record);
    await at.clock.sleep(inSyncSeconds);
    void at.clock.sleep(10).then(() => void at.zone.change([{ action: 'delete', set: record }]));
    const began = at.clock.monotonicSeconds();
    const resolver = () => (at.clock.monotonicSeconds() - began < 40 ? answer('lb.example.org', '10.0.0.1') : answer());
    assert.deepEqual(await watch(at, 60, resolver), [
      'resolver NOERROR lb.example.org',
      'zone-read',
      'zone NOERROR lb.example.org',
      'authority NOERROR lb.example.org',
      'zone NXDOMAIN ',
      'authority NXDOMAIN ',
      'resolver NXDOMAIN ',
    ]);
  }));

test('addresses in another order are no change, nor are those behind an alias', () =>
  cloudSite(async (at) => {
    let turn = 0;
    const turning = () => (turn++ % 2 === 0 ? answer('10.0.0.1', '10.0.0.2') : answer('10.0.0.2', '10.0.0.1'));
    assert.equal((await watch(at, 20, turning)).filter((text) => text.startsWith('resolver')).length, 1);
    const behind = () => answer('lb.example.org', `10.0.0.${turn++ % 250}`);
    assert.equal((await watch(at, 20, behind)).filter((text) => text.startsWith('resolver')).length, 1);
  }));

test('changed addresses behind a Route 53 alias are no change of the record', () =>
  cloudSite(async (at) => {
    const alias = { zoneId: 'Z1', evaluatesTargetHealth: true };
    at.put({ name: record.name, type: 'A', ttlSeconds: null, values: ['lb.example.org'], alias });
    await at.clock.sleep(inSyncSeconds);
    let turn = 0;
    const began = at.clock.monotonicSeconds();
    const rotating = () => (at.clock.monotonicSeconds() - began > 25 ? answer() : answer(`10.0.0.${turn++ % 250}`));
    const seen = await watch(at, 30, rotating);
    assert.ok(seen.includes('zone NOERROR lb.example.org'));
    assert.ok(seen.filter((text) => text.startsWith('resolver NOERROR')).length <= 2, seen.join('; '));
    assert.equal(seen.at(-1), 'resolver NXDOMAIN ');
  }));

test('without the zone, or with a cloud that refuses, the resolver is still observed', () =>
  cloudSite(async (at) => {
    at.fault = () => {
      throw new OperationError({ tried: 'GET', on: 'route53', reason: 'connection refused' });
    };
    assert.deepEqual(await watch(at, 10, () => answer('10.0.0.1')), ['resolver NOERROR 10.0.0.1']);
  }));

test('a zone that was not found is searched again, and one that hangs delays no other source', () =>
  cloudSite(async (at) => {
    at.put(record);
    await at.clock.sleep(inSyncSeconds);
    const began = at.clock.monotonicSeconds();
    let asked = 0;
    const zone: CloudSite['cloud']['zone'] = async (name) => {
      asked += 1;
      if (asked > 1) return at.cloud.zone(name);
      await at.clock.sleep(8);
      throw new OperationError({ tried: 'GET', on: 'route53', reason: 'no answer within 8 s' });
    };
    const names = ['lb.example.org', 'other.example.org'];
    const resolver = () => answer(names[at.clock.monotonicSeconds() - began < 3 ? 0 : 1] ?? '');
    assert.deepEqual(await watch({ ...at, cloud: { ...at.cloud, zone } }, 20, resolver), [
      'resolver NOERROR lb.example.org',
      'resolver NOERROR other.example.org',
      'zone-read',
      'zone NOERROR lb.example.org',
      'authority NOERROR lb.example.org',
    ]);
  }));
