import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHealth } from '../../../src/deployment/record/health.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { certificateAuthority } from '../../support/certificates.ts';
import { needs } from '../../support/needs.ts';
import { nginx } from '../../support/nginx.ts';
import { secrets } from '../../support/secrets.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a virtual host of nginx at 127.0.0.1 with a private authority is asked as visitors ask it', async (t) => {
  if (!needs(t, 'nginx') || !needs(t, 'openssl')) return;
  const folder = temporaryFolder(t);
  const authority = certificateAuthority(folder);
  const { key, cert } = authority.sign('shop', 'DNS:shop.example.com');
  const other = authority.sign('other', 'DNS:other.example.com');
  const server = await nginx(
    folder,
    (_, port) => `
      server {
        listen 127.0.0.1:${port} ssl default_server;
        server_name other.example.com;
        ssl_certificate ${other.cert};
        ssl_certificate_key ${other.key};
        return 404;
      }
      server {
        listen 127.0.0.1:${port} ssl;
        server_name shop.example.com;
        ssl_certificate ${cert};
        ssl_certificate_key ${key};
        location = /up {
          if ($http_x_health != '${secrets.healthPassword}') { return 403; }
          if ($request_method = POST) { return 405; }
          return 200 'the shop is open';
        }
        location = / { return 301 https://$host:${port}/up; }
      }`,
  );
  t.after(server.stop);
  await server.start();
  const { port } = server;
  const host = nodeHost();
  const good = {
    consecutive: 1,
    timeout: 20,
    resolve: [{ host: 'shop.example.com', port, addresses: ['127.0.0.1'] }],
    cacert: authority.ca,
    headers: [{ name: 'X-Health', value: secrets.healthPassword }],
    bodyContains: '/shop is \\w+/',
  };
  const asked = async (path: string, more: object = {}, name = 'shop.example.com') =>
    (await checkHealth(host, [`https://${name}:${port}${path}`], { ...good, ...more })).status;
  assert.equal(await asked('/up'), 200);
  assert.equal(await asked('/up', { headers: [] }), 403);
  assert.equal(await asked('/up', { request: 'POST' }), 405);
  assert.equal(await asked('/'), 301);
  assert.equal(await asked('/', { location: true }), 200);
  assert.equal(await asked('/', { location: true, maxRedirs: 0 }), 301);
  assert.equal(await asked('/up', { cacert: undefined }), 0, 'nobody else knows the authority');
  assert.equal(await asked('/up', { ipv6: true }), 0);
  const any = { resolve: [{ host: '*', port, addresses: ['127.0.0.1'] }] };
  assert.equal(await asked('/up', any, 'third.example.com'), 0, 'the certificate is for another name');
  assert.equal(await asked('/up', { ...any, insecure: true }, 'third.example.com'), 404, 'the default host answers');
});
