import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dnsFailure } from '../../src/validation/scenarios/dns-failure.ts';
import { scenarioRun } from '../support/scenario-run.ts';

test('the record heals by itself, then is gone for longer than its TTL: clients fail, and it is restored whole', async (t) => {
  for (const seed of [1, 2, 42]) {
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

test('a long negative TTL: it is recorded how long clients failed after the record was back', async (t) => {
  const { row, observed } = await scenarioRun(t, dnsFailure, { defect: 'long-dns-ttl' });
  assert.equal(row.verdict, 'pass', JSON.stringify(row.findings));
  const [, seconds = 0] = (/of which (\d+) s after the record was back/.exec(observed('clients')) ?? []).map(Number);
  assert.ok(seconds > 600, observed('clients'));
});
