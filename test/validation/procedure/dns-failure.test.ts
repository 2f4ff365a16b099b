import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeds } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import type { Host, HttpRequest } from '../../../src/host/host.ts';
import { dnsFailure } from '../../../src/validation/scenarios/dns-failure.ts';
import { scenarioRun } from '../../support/scenario-run.ts';

test('the record is restored by the DNS automation, then is gone for longer than its TTL: clients fail, and the undo restores it', async (t) => {
  for (const seed of seeds({ few: 1, all: 10 })) {
    const { row, result, rehearsal, observed } = await scenarioRun(t, dnsFailure, { seed });
    assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
    assert.ok((row.downtime?.seconds ?? 0) > 0);
    assert.deepEqual(
      result.outages.filter(({ scenario }) => scenario === 'dns-failure').flatMap(({ kinds }) => kinds),
      ['dns'],
    );
    assert.match(observed('self-heal'), /^after \d+ s$|^sooner/);
    assert.match(
      observed('ttl'),
      /^TTL 300 s .*, negative TTL 60 s; gone at the authoritative server after \d+ s, at the resolver after \d+ s/,
    );
    assert.deepEqual(
      result.undo.filter(({ action }) => action !== 'apply-object').map(({ action, state }) => [action, state]),
      [
        ['delete-dns-record', 'not-needed'],
        ['pause-deployment', 'undone'],
        ['delete-dns-record', 'undone'],
      ],
    );
    assert.equal(rehearsal.world.zone.answer('app.example.com', 'A').code, 'NOERROR');
  }
});

test('with a long negative TTL it is recorded how long clients failed after the record was back', async (t) => {
  const { row, observed } = await scenarioRun(t, dnsFailure, { defect: 'long-dns-ttl' });
  assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
  const [, seconds = 0] = (/of which (\d+) s after the record was back/.exec(observed('clients')) ?? []).map(Number);
  assert.ok(seconds > 600, observed('clients'));
});

test('without access to the authoritative server both rounds are made, and that is reported', async (t) => {
  const through = (host: Host): Host => ({
    ...host,
    resolve: async (query) => {
      if (query.server === undefined) return host.resolve(query);
      await host.clock.sleep(10);
      return { code: 'TIMEOUT', records: [] };
    },
  });
  const { row, observed } = await scenarioRun(t, dnsFailure, { through });
  assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
  assert.match(observed('record-restored'), /^it is at the others; the authoritative server did not answer/);
  assert.deepEqual([row.dns?.returnSeenBy, row.dns?.untold], ['zone', ['authority']]);
  assert.ok((row.downtime?.seconds ?? 0) > 0);
});

test('aliases to a load balancer whose addresses change meanwhile are restored as aliases', async (t) => {
  let turn = 0;
  const rotated =
    (host: Host): Host['resolve'] =>
    async (query) => {
      const { code, records } = await host.resolve(query);
      const value = () => `198.51.100.${turn++ % 250}`;
      const isOurs = query.name === 'app.example.com' && query.type === 'A' && acted;
      return { code, records: records.map((one) => (isOurs ? { ...one, value: value() } : one)) };
    };
  let acted = false;
  const through = (host: Host): Host => ({
    ...host,
    resolve: rotated(host),
    http: (request, signal) => host.http(asAlias(request), signal),
  });
  const { row, result, rehearsal, observed } = await scenarioRun(t, dnsFailure, {
    through,
    onFact: (fact) => {
      acted ||= fact.type === 'action-intended' && fact.action === 'delete-dns-record';
    },
  });
  assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
  assert.equal(observed('record-restored'), 'it is');
  assert.match(observed('ttl'), /^TTL 60 s /);
  assert.ok(result.undo.some(({ action, state }) => action === 'delete-dns-record' && state === 'undone'));
  const types = rehearsal.world.zone.list().filter(({ alias }) => alias !== undefined);
  assert.deepEqual(
    types.map(({ type }) => type),
    ['A', 'AAAA'],
  );
});

/** Makes aliases of the records, as external-dns does unless it prefers CNAMEs. */
function asAlias(request: HttpRequest): HttpRequest {
  if (!request.url.includes('/ingresses') || !request.body?.startsWith('{')) return request;
  const object = JSON.parse(request.body);
  const annotations = { ...object.metadata?.annotations, 'external-dns.alpha.kubernetes.io/alias': 'true' };
  return { ...request, body: JSON.stringify({ ...object, metadata: { ...object.metadata, annotations } }) };
}
