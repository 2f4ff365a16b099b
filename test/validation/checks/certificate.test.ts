import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificate } from '../../../src/validation/checks/certificate.ts';
import type { CheckedRun } from '../../../src/validation/checks/check.ts';

const day = 24 * 3600 * 1000;

/** What the check says of a URL whose certificate ends so many days from now. */
function look(url: string, endsInDays?: number) {
  const at = Date.parse('2026-11-20T10:00:00.000Z');
  const probe = async () => ({
    at,
    status: 200,
    seconds: 0.01,
    connection: 'new' as const,
    phases: {},
    ...(endsInDays === undefined ? {} : { certificateEndsAt: at + endsInDays * day }),
  });
  const run = { site: { host: { probe } }, settings: { url, monitor: { body: null } } } as unknown as CheckedRun;
  return certificate.look(run);
}

test('a certificate that ends within 14 days is a warning, and does not stop the run', async () => {
  const { severity, observed, advice } = await look('https://app.example.com/', 5.5);
  assert.deepEqual([severity, observed], ['warning', 'it ends 2026-11-25, in 5 days']);
  assert.match(advice, /^renew it/);
  assert.equal(certificate.mandatory, false);
  assert.equal((await look('https://app.example.com/', -1)).severity, 'warning');
});

test('one that lasts, none yet, and no TLS at all are as expected', async () => {
  assert.equal((await look('https://app.example.com/', 14.5)).severity, 'info');
  assert.match((await look('https://app.example.com/')).observed, /nothing answers there yet/);
  assert.match((await look('http://app.example.com/', 3)).observed, /^no certificate, because the URL is http$/);
});
