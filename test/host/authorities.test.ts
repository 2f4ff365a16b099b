import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { certificateAuthority } from '../support/certificates.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../../src', path));
const programs: Readonly<Record<string, string>> = {
  probe: `
    import { prober } from ${source('host/probe/probe.ts')};
    const { status, error } = await prober()({ url: process.argv[1] }, 'new', 5);
    console.log(error ?? status);`,
  http: `
    import { http } from ${source('host/http.ts')};
    console.log(await http({ method: 'GET', url: process.argv[1] }).then(({ status }) => status, ({ message }) => message));
    process.exit();`,
  mail: `
    import { mailNotifier } from ${source('notification/mail.ts')};
    import { Secret } from ${source('notification/secret.ts')};
    const transport = new Secret(process.argv[1].replace('https:', 'smtps:'));
    const { send } = mailNotifier({}, { to: 'a@b.example', from: 'a@b.example', subject: 's', transport }, {});
    console.log(await send({ text: 't', details: [] }).catch(({ message }) => message));`,
};

/** OpenSSL's own name for the system's store, which a test may choose (openssl-env(7)). */
test('an authority that is only in the system’s store is trusted for every TLS connection', async (t) => {
  if (!needs(t, 'openssl')) return;
  const authority = certificateAuthority(temporaryFolder(t));
  const { cert, key } = authority.sign('127.0.0.1', 'IP:127.0.0.1');
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (_, response) =>
    response.end('ok'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Ends the wait of the mail client for a greeting, which an HTTPS server never sends.
  server.setTimeout(500);
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const said = async (who: string, env: NodeJS.ProcessEnv): Promise<string> => {
    const words = ['--input-type=module', '-e', programs[who] as string, url];
    return (await promisify(execFile)(process.execPath, words, { env: { ...process.env, ...env } })).stdout.trim();
  };
  const trusting = { SSL_CERT_FILE: authority.ca };
  assert.deepEqual([await said('probe', {}), await said('probe', trusting)], ['tls', '200']);
  assert.match(await said('http', {}), /certificate/);
  assert.equal(await said('http', trusting), '200');
  assert.doesNotMatch(await said('mail', trusting), /certificate/, 'what answers is no mail server');
});
