import assert from 'node:assert/strict';
import { setServers } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import { serveDns } from '../../../packages/embedded-cluster/src/listen/dns-endpoint.ts';
import { dnsReason } from '../../../src/host/probe/dns-reason.ts';
import { prober } from '../../../src/host/probe/probe.ts';

/** The name server of this process answers with the code that stands at the beginning of each name. */
async function codesAreNames(t: TestContext): Promise<void> {
  const server = await serveDns(async (name) => {
    const code = (name.split('.')[0] ?? '').toUpperCase() as 'NXDOMAIN' | 'SERVFAIL' | 'NODATA' | 'TIMEOUT' | 'NOERROR';
    return { code, records: code === 'NOERROR' ? [{ type: 'A', value: '192.0.2.1', ttlSeconds: 1 }] : [] };
  });
  t.after(() => server.close());
  setServers([`127.0.0.1:${server.port}`]);
  syncBuiltinESMExports();
}

test('a look-up that fails has the RCODE of the name server', async (t) => {
  await codesAreNames(t);
  for (const code of ['NXDOMAIN', 'SERVFAIL', 'NODATA'])
    assert.equal(await dnsReason(`${code.toLowerCase()}.invalid`, undefined, 5), code);
  assert.equal(await dnsReason('timeout.invalid', undefined, 0.05), 'timeout');
  assert.equal(await dnsReason('nxdomain.invalid', undefined, 0), 'timeout');
  assert.equal(await dnsReason('noerror.invalid', undefined, 5), undefined);
  assert.equal(
    await dnsReason('192.0.2.1', 6, 0),
    'NODATA',
    'an address of the other family, which nobody is asked for',
  );
});

test('a probe without an address names it, and its time is that of the look-up alone', async (t) => {
  await codesAreNames(t);
  const { error, reason, seconds } = await prober()({ url: 'http://nxdomain.invalid/' }, 'new', 5);
  assert.deepEqual([error, reason], ['dns', 'NXDOMAIN']);
  const silent = await prober()({ url: 'http://timeout.invalid/' }, 'new', 5);
  assert.equal(silent.reason, 'timeout');
  assert.ok(seconds < 1 && silent.seconds < 1, `${seconds} s, ${silent.seconds} s`);
});
