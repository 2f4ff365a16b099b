import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolve } from '../../../../src/host/dns.ts';
import { serveDns } from '../../src/listen/dns-endpoint.ts';
import type { DnsAnswer } from '../../src/outside/dns.ts';

test('an answer that does not fit into a datagram is fetched over TCP', async (t) => {
  const records: DnsAnswer['records'] = Array.from({ length: 9 }, (_, index) => ({
    type: 'TXT',
    value: `${index}`.repeat(150),
    ttlSeconds: 300,
  }));
  const endpoint = await serveDns(async () => ({ code: 'NOERROR', records }));
  t.after(() => endpoint.close());
  const answer = await resolve({ name: 'long.example.com', type: 'TXT', server: `127.0.0.1:${endpoint.port}` });
  assert.deepEqual(answer, { code: 'NOERROR', records });
});

test('a port in use is an error that names it', async (t) => {
  const taken = await serveDns(async () => ({ code: 'NXDOMAIN', records: [] }));
  t.after(() => taken.close());
  const again = serveDns(async () => ({ code: 'NXDOMAIN', records: [] }), { port: taken.port });
  await assert.rejects(again, { name: 'ClusterError', message: /^Listening on 127\.0\.0\.1:\d+: .*EADDRINUSE/ });
});
