import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { test } from 'node:test';
import { page } from '../../../src/host/probe/page.ts';
import { prober } from '../../../src/host/probe/probe.ts';
import { formatSample } from '../../../src/validation/downtime-log/downtime-log.ts';
import { certificateAuthority } from '../../support/certificates.ts';
import { answering, listening } from '../../support/loopback-server.ts';
import { needs } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a server that wants a certificate of the client’s is an error of TLS, also where it says so behind the handshake', async (t) => {
  if (!needs(t, 'openssl')) return;
  const authority = certificateAuthority(temporaryFolder(t));
  const { key, cert } = authority.sign('server', 'IP:127.0.0.1');
  const ca = readFileSync(authority.ca, 'utf8');
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const wanting = { requestCert: true, rejectUnauthorized: true, ca, minVersion: version, maxVersion: version };
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert), ...wanting });
    const url = (await listening(t, server)).replace('http:', 'https:');
    const { status, error, reason } = await prober()({ url, ca }, 'new', 20);
    assert.deepEqual([status, error, reason], [0, 'tls', 'handshake'], version);
    await assert.rejects(page({ url, ca }, 20), /the TLS handshake failed/, version);
  }
});

test('a certificate of another name, an expired one, an unknown authority and no TLS at all are told apart', async (t) => {
  if (!needs(t, 'openssl')) return;
  const [known, stranger] = [certificateAuthority(temporaryFolder(t)), certificateAuthority(temporaryFolder(t))];
  const ca = readFileSync(known.ca, 'utf8');
  const serving = async (authority: typeof known, name: string, isExpired = false) => {
    const { key, cert } = authority.sign('server', name, { isExpired });
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => response.end());
    return (await listening(t, server)).replace('http:', 'https:');
  };
  const own = 'IP:127.0.0.1';
  const urls = {
    expired: await serving(known, own, true),
    name: await serving(known, 'DNS:other.example.com'),
    authority: await serving(stranger, own),
    handshake: (await answering(t, (_, response) => response.end())).replace('http:', 'https:'),
  };
  for (const [reason, url] of Object.entries(urls)) {
    const sample = await prober()({ url, ca }, 'new', 20);
    assert.deepEqual([sample.status, sample.error, sample.reason], [0, 'tls', reason]);
    assert.match(formatSample(sample, true), new RegExp(` 000 \\d\\.\\d{3} error=tls reason=${reason} `));
  }
  const good = await prober()({ url: await serving(known, own), ca }, 'new', 20);
  assert.deepEqual([good.status, good.reason], [200, undefined]);
  // Signed for two days.
  const leftHours = ((good.certificateEndsAt ?? 0) - good.at) / 3_600_000;
  assert.ok(leftHours > 47 && leftHours <= 48, `${leftHours} h`);
});
