import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { inNamespace, type Served, served } from '../../../../test/support/listening.ts';
import { needs } from '../../../../test/support/needs.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { ownNamespace } from '../../src/listen/own-namespace.ts';

const url = 'http://app.example.com/';

async function inItsNamespace(t: TestContext, ...words: readonly string[]): Promise<Served | undefined> {
  const it = await served(t, ...words);
  if (it.enter !== undefined) return it;
  t.skip(`network namespaces cannot be made here: ${JSON.stringify(it.settings.namespace)}`);
  return undefined;
}

test('in the network namespace, programs reach the application by its name on ports 80 and 443, and DNS on port 53', async (t) => {
  if (!(needs(t, 'curl') && needs(t, 'dig'))) return;
  const it = await inItsNamespace(t, '--manifests', 'hardened');
  if (it === undefined) return;
  const outputOf = async (...words: readonly string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await inNamespace(it, words);
    assert.equal(exitCode, 0, stderr);
    return stdout;
  };
  assert.match(await outputOf('curl', '-sS', '--max-time', '5', url), /<h1>Welcome to nginx!<\/h1>/);
  const secure = ['--insecure', '-w', '%{http_code} %{certs}', 'https://app.example.com/'];
  assert.match(await outputOf('curl', '-sS', '--max-time', '5', ...secure), /Fake Certificate/);
  for (const transport of ['+notcp', '+tcp'])
    assert.match(await outputOf('dig', '+short', transport, 'app.example.com'), /^k8s-.*amazonaws\.com\.\n52\./);
  const authority = ['dig', '@ns-266.awsdns-33.com', '+norecurse', '+short', 'app.example.com', 'CNAME'];
  assert.match(await outputOf(...authority), /^k8s-.*amazonaws\.com\.\n$/);
  const { stdout } = await inNamespace(it, ['holdfast', 'precheck', '--json']);
  const observed = (id: string) => JSON.parse(stdout).findings.find((finding: { id: string }) => finding.id === id);
  assert.match(observed('dns-record').observed, /^it resolves to 52\.1\.1\.10,/, stdout);
});

test('the namespace ends with the serving process, even if that is killed', async (t) => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const it = await inItsNamespace(t);
    if (it === undefined) return;
    const [, pid] = /--target=(\d+)/.exec(it.enter?.join(' ') ?? '') ?? [];
    assert.ok(existsSync(`/proc/${pid}/ns/net`));
    it.process.kill(signal);
    await once(it.process, 'exit');
    for (let turn = 0; turn < 1000 && existsSync(`/proc/${pid}`); turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(!existsSync(`/proc/${pid}`), `after ${signal} the namespace is still there`);
  }
});

test('if the system allows no namespace, the result has the error of the system', async (t) => {
  const addresses = [{ address: 'no-address', port: 53, transport: 'udp' }] as const;
  const refused = await ownNamespace({ folder: temporaryFolder(t), resolver: '10.0.0.2', addresses });
  assert.ok('because' in refused);
  assert.match(refused.because, /no-address|ip: not found|unshare/);
});
