import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { needs } from '../../../../test/support/needs.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { fakeCertificate, serverCertificate } from '../../src/listen/certificates.ts';

const at = Date.parse('2026-11-20T10:00:00Z');

test('the server certificate is issued by the CA, for loopback and the API server’s names in the cluster', () => {
  const { ca, cert, key } = serverCertificate(at);
  const [authority, server] = [new X509Certificate(ca), new X509Certificate(cert)];
  assert.ok(authority.ca && !server.ca);
  assert.ok(server.checkIssued(authority) && server.verify(authority.publicKey));
  assert.ok(server.checkPrivateKey(createPrivateKey(key)));
  assert.equal(server.checkIP('127.0.0.1'), '127.0.0.1');
  assert.equal(server.checkIP('127.0.0.2'), undefined);
  assert.equal(server.checkHost('kubernetes.default.svc'), 'kubernetes.default.svc');
  assert.equal(server.checkHost('example.com'), undefined);
  assert.equal(Date.parse(server.validFrom), at - 3_600_000);
  assert.equal(Date.parse(server.validTo), at + 30 * 24 * 3_600_000);
});

test('the server certificate is not valid for another CA of the same name', () => {
  const [one, other] = [serverCertificate(at), serverCertificate(at)];
  assert.equal(new X509Certificate(one.cert).verify(new X509Certificate(other.ca).publicKey), false);
});

test('a host without a certificate gets the fake certificate of ingress-nginx', () => {
  const server = new X509Certificate(fakeCertificate(at).cert);
  assert.match(server.subject, /Kubernetes Ingress Controller Fake Certificate/);
  assert.equal(server.checkHost('app.example.com'), undefined);
});

test('openssl verify accepts the certificate with -x509_strict', (t) => {
  if (!needs(t, 'openssl')) return;
  const folder = temporaryFolder(t);
  for (let time = 0; time < 20; time += 1) {
    const { ca, cert } = serverCertificate(Date.now());
    writeFileSync(`${folder}/ca.pem`, ca);
    writeFileSync(`${folder}/cert.pem`, cert);
    const words = ['-x509_strict', '-purpose', 'sslserver', '-verify_ip', '127.0.0.1', '-CAfile', 'ca.pem', 'cert.pem'];
    const output = execFileSync('openssl', ['verify', ...words], { cwd: folder, stdio: 'pipe' }).toString();
    assert.equal(output, 'cert.pem: OK\n');
  }
});
