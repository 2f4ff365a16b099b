import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { rfc2136 } from '../../../src/cloud/rfc2136/rfc2136.ts';
import type { Host } from '../../../src/host/host.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { deleteDnsRecord } from '../../../src/validation/actions/delete-dns-record.ts';
import type { Site } from '../../../src/validation/site.ts';
import { type Bind9, bind9 } from '../../support/bind9.ts';
import { needs } from '../../support/needs.ts';

const never = new AbortController().signal;
const target = { name: 'app.example.test', zone: 'example.test' };

/** The zone of a real BIND 9; undefined if the test was skipped. */
async function zoneOf(t: TestContext) {
  if (!needs(t, 'named') || !needs(t, 'dig')) return undefined;
  const bind = await bind9(t);
  const host = hostOf(bind);
  const cloud = rfc2136(host, { server: bind.primary, keyFile: bind.keyFile });
  return { bind, host, cloud, site: { host, cloud } as unknown as Site };
}

/** The machine, but that names are resolved by the primary, and that the zone's servers are on loopback. */
function hostOf({ primary, published }: Bind9): Host {
  const host = nodeHost();
  return {
    ...host,
    resolve: (query) => host.resolve({ server: primary, ...query }),
    exchange: (request) =>
      host.exchange({ ...request, address: published[request.address.replace(/:53$/, '')] ?? request.address }),
  };
}

test('the zone of BIND 9 is read: servers, negative TTL, and every record set of a name', async (t) => {
  const at = await zoneOf(t);
  if (at === undefined) return;
  const zone = await at.cloud.zone('example.test');
  assert.deepEqual(zone && { ...zone, nameServers: zone.nameServers.toSorted() }, {
    id: 'example.test',
    name: 'example.test',
    nameServers: ['ns1.example.test', 'ns2.example.test'],
    negativeTtlSeconds: 60,
  });
  assert.ok(zone);
  const sets = await at.cloud.records(zone, ['app.example.test', 'a-app.example.test', 'gone.example.test']);
  assert.deepEqual(
    sets.map(({ name, type, ttlSeconds, values }) => ({ name, type, ttlSeconds, values: values.toSorted() })),
    [
      { name: 'app.example.test', type: 'A', ttlSeconds: 300, values: ['192.0.2.1', '192.0.2.2'] },
      {
        name: 'a-app.example.test',
        type: 'TXT',
        ttlSeconds: 120,
        values: ['"heritage=external-dns,external-dns/owner=default"'],
      },
    ],
  );
  assert.equal(
    await at.cloud.zone('no-zone.test').catch(({ message }) => message),
    `Querying no-zone.test at ${at.bind.primary}: REFUSED. allow the key in update-policy or allow-update of the zone`,
  );
});

test('the record is deleted with its ownership TXT at every server, and the undo creates both as they were', async (t) => {
  const at = await zoneOf(t);
  if (at === undefined) return;
  const { bind, site } = at;
  const addresses = bind.dig(bind.primary, 'app.example.test', 'A').split('\n').toSorted();
  const intent = JSON.parse(JSON.stringify(await deleteDnsRecord.prepare(site, target)));
  await deleteDnsRecord.perform(site, intent, never);
  for (const server of [bind.primary, bind.secondary]) {
    assert.equal(bind.dig(server, 'app.example.test', 'A'), '');
    assert.equal(bind.dig(server, 'a-app.example.test', 'TXT'), '');
    assert.notEqual(bind.dig(server, 'other.example.test', 'TXT'), '');
  }
  assert.equal((await deleteDnsRecord.undo(site, intent)).state, 'undone');
  for (const server of [bind.primary, bind.secondary]) {
    assert.deepEqual(bind.dig(server, 'app.example.test', 'A').split('\n').toSorted(), addresses);
    assert.equal(bind.dig(server, 'a-app.example.test', 'TXT'), '"heritage=external-dns,external-dns/owner=default"');
  }
});

test('the command by hand creates the records again', async (t) => {
  const at = await zoneOf(t);
  if (at === undefined) return;
  const { bind, cloud, site } = at;
  const zone = await cloud.zone('example.test');
  assert.ok(zone);
  const before = await cloud.records(zone, ['other.example.test']);
  const intent = await deleteDnsRecord.prepare(site, target);
  await deleteDnsRecord.perform(site, intent, never);
  const byHand = cloud.restoreByHand(zone, [...intent.original, ...before]);
  const { status, stderr } = spawnSync('sh', ['-c', byHand], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.deepEqual(await cloud.records(zone, ['other.example.test']), before);
  assert.equal((await deleteDnsRecord.undo(site, intent)).state, 'not-needed');
  assert.equal(bind.dig(bind.primary, 'a-app.example.test', 'TXT').length > 0, true);
});

test('a record that somebody has changed since it was read is not deleted, and one that is there is not created', async (t) => {
  const at = await zoneOf(t);
  if (at === undefined) return;
  const { bind, cloud, site } = at;
  const zone = await cloud.zone('example.test');
  assert.ok(zone);
  const intent = await deleteDnsRecord.prepare(site, target);
  await assert.rejects(cloud.change(zone, [{ action: 'create', set: intent.original[0] ?? { whole: '' } }]), /YXRRSET/);
  const lines = [
    `server ${bind.primary.replace(':', ' ')}`,
    'zone example.test',
    'update delete app.example.test A 192.0.2.2',
    'send',
    '',
  ];
  const update = spawnSync('nsupdate', ['-k', bind.keyFile], { input: lines.join('\n'), encoding: 'utf8' });
  assert.equal(update.stderr, '');
  await assert.rejects(deleteDnsRecord.perform(site, intent, never), /NXRRSET.*changed it meanwhile/);
  assert.equal(bind.dig(bind.primary, 'app.example.test', 'A'), '192.0.2.1');
});

test('a change is made when the slowest server shows it', async (t) => {
  const at = await zoneOf(t);
  if (at === undefined) return;
  const { bind, host } = at;
  let slept = 0;
  const clock = {
    ...host.clock,
    sleep: async () => void (slept++ === 0 ? bind.thawSecondary() : await host.clock.sleep(0.05)),
  };
  const impatient: Host['exchange'] = (request) =>
    host.exchange({ ...request, timeoutSeconds: request.address.startsWith('192.0.2.54') ? 0.5 : 10 });
  const cloud = rfc2136({ ...host, clock, exchange: impatient }, { server: bind.primary, keyFile: bind.keyFile });
  const site = { host, cloud } as unknown as Site;
  const intent = await deleteDnsRecord.prepare(site, target);
  bind.freezeSecondary();
  await deleteDnsRecord.perform(site, intent, never);
  assert.equal(slept > 0, true);
  assert.equal(bind.dig(bind.secondary, 'app.example.test', 'A'), '');
});

test('a wrong secret, an unknown key, a broken key file and a missing one are told apart, and no secret is repeated', async (t) => {
  const at = await zoneOf(t);
  if (at === undefined) return;
  const { bind, host } = at;
  const text = readFileSync(bind.keyFile, 'utf8');
  const told = async (key: string): Promise<string> => {
    writeFileSync(bind.keyFile, key);
    const cloud = rfc2136(host, { server: bind.primary, keyFile: bind.keyFile });
    return cloud.zone('example.test').then(String, ({ message }) => message);
  };
  const secret = /secret "([^"]+)"/.exec(text)?.[1] ?? '';
  const messages = [
    await told(text.replace(secret, Buffer.from('another secret').toString('base64'))),
    await told(text.replace('update.example', 'nobody.example')),
    await told(text.replace('hmac-sha256', 'hmac-md5')),
    await told(`secret ${secret}`),
  ];
  assert.match(messages[0] ?? '', /BADSIG: the secret of the key is another one there/);
  assert.match(messages[1] ?? '', /BADKEY: it does not know the key/);
  assert.match(messages[2] ?? '', /its algorithm is none of hmac-sha224, hmac-sha256/);
  assert.match(messages[3] ?? '', /it is not one key as tsig-keygen writes it/);
  assert.ok(messages.every((message) => !message.includes(secret)));
  const missing = rfc2136(host, { server: bind.primary, keyFile: `${bind.keyFile}.gone` });
  await assert.rejects(missing.zone('example.test'), /there is no such file. write it with tsig-keygen/);
});

test('a clock that is wrong by more than five minutes is named', async (t) => {
  const at = await zoneOf(t);
  if (at === undefined) return;
  const { bind, host } = at;
  const clock = { ...host.clock, wallAt: () => host.clock.wallAt() - 600_000 };
  const cloud = rfc2136({ ...host, clock }, { server: bind.primary, keyFile: bind.keyFile });
  await assert.rejects(cloud.zone('example.test'), /BADTIME: the clocks differ by more than 5 minutes/);
});

test('a response that somebody altered is refused', async (t) => {
  const at = await zoneOf(t);
  if (at === undefined) return;
  const { bind, host } = at;
  let alters = false;
  const altered: Host['exchange'] = async (request) => {
    const bytes = Buffer.from(await host.exchange(request));
    const address = bytes.indexOf(Buffer.from([192, 0, 2]));
    if (alters && address > 0) bytes.writeUInt8(99, address + 3);
    return bytes;
  };
  const cloud = rfc2136({ ...host, exchange: altered }, { server: bind.primary, keyFile: bind.keyFile });
  const zone = await cloud.zone('example.test');
  assert.ok(zone);
  alters = true;
  await assert.rejects(cloud.records(zone, ['app.example.test']), /the signature of the response is wrong/);
});
