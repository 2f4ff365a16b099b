import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from '../../src/cluster/client.ts';
import { readCredentials } from '../../src/cluster/credentials.ts';
import { nodeHost } from '../../src/host/node.ts';
import { base64Of } from '../support/certificates.ts';
import { needs } from '../support/needs.ts';
import { type ServedApi, serveApi } from '../support/served-api.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const host = nodeHost();

/** A kubeconfig whose user has the token of a file. */
function withTokenFile(t: TestContext, { url, authority }: ServedApi) {
  const folder = temporaryFolder(t);
  const [kubeconfig, tokenFile] = [join(folder, 'config'), join(folder, 'token')];
  writeFileSync(tokenFile, 'first');
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: url, 'certificate-authority-data': base64Of(authority.ca) } }],
    // A token beside it is that of the day on which the file was written.
    users: [{ name: 'u', user: { tokenFile: 'token', token: 'zeroth' } }],
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'here',
  };
  writeFileSync(kubeconfig, JSON.stringify(document));
  return { kubeconfig, tokenFile };
}

const admitting =
  (token: string): ServedApi['admits'] =>
  ({ authorization }) =>
    authorization === `Bearer ${token}`;
const namespace = (name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }) as const;

test('a token that ends in the middle of a watch is read again from its file, and no change is missed', async (t) => {
  if (!needs(t, 'openssl')) return;
  const served = await serveApi(t);
  served.admits = admitting('first');
  const { kubeconfig, tokenFile } = withTokenFile(t, served);
  const { access } = await readCredentials(host, { kubeconfig, environment: {} });
  const client = connect(host, access);
  const seen: string[] = [];
  const ended = new AbortController();
  for await (const change of client.watch('Namespace', {}, ended.signal)) {
    if (change.type === 'synced') {
      writeFileSync(tokenFile, 'second');
      served.admits = admitting('second');
      served.cut();
      await served.api.cluster('somebody').create(namespace('made-meanwhile'));
    } else seen.push(`${change.type} ${change.object.metadata.name}`);
    if (seen.at(-1) === 'added made-meanwhile') ended.abort();
  }
  assert.equal(seen.filter((one) => one === 'added default').length, 1, 'nothing is reported twice');
});

/** What the program says from within a pod: a mount namespace of its own with the files that a kubelet puts there. */
function inPod(files: string, url: URL, script: string) {
  const place = '/run/secrets/kubernetes.io/serviceaccount';
  const prepared = `mount -t tmpfs tmpfs /run && mkdir -p ${place} && mount --bind ${files} ${place}`;
  const child = spawn(
    'unshare',
    ['--mount', 'sh', '-c', `${prepared} && exec "$0" -e "$1"`, process.execPath, script],
    {
      env: { ...process.env, KUBERNETES_SERVICE_HOST: url.hostname, KUBERNETES_SERVICE_PORT: url.port },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const output = { said: '', wrong: '' };
  child.stderr.on('data', (text) => {
    output.wrong += text;
  });
  return { child, output };
}

test('in a pod the account of the kubelet’s files is used, also when its token was renewed', async (t) => {
  if (!needs(t, 'openssl') || !needs(t, 'unshare')) return;
  if (process.getuid?.() !== 0) return void t.skip('only root makes a mount namespace');
  const served = await serveApi(t);
  served.admits = admitting('first');
  const files = temporaryFolder(t);
  mkdirSync(files, { recursive: true });
  copyFileSync(served.authority.ca, join(files, 'ca.crt'));
  writeFileSync(join(files, 'token'), 'first');
  writeFileSync(join(files, 'namespace'), 'shop');
  const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../../src', path));
  const { child, output } = inPod(
    files,
    new URL(served.url),
    `(async () => {
      const { connect } = await import(${source('cluster/client.ts')});
      const { readCredentials } = await import(${source('cluster/credentials.ts')});
      const { nodeHost } = await import(${source('host/node.ts')});
      const host = nodeHost();
      const { KUBERNETES_SERVICE_HOST } = process.env;
      const { access, namespace } = await readCredentials(host, { environment: { KUBERNETES_SERVICE_HOST, HOME: '/nobody' } });
      const client = connect(host, access);
      for (;;) {
        const found = await client.list('Namespace');
        process.stdout.write(namespace + ' ' + found.length + '\\n');
        await new Promise((resolve) => process.stdin.once('data', resolve));
      }
    })()`,
  );
  t.after(() => child.kill('SIGKILL'));
  const next = () =>
    new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (text) => resolve(String(text)));
      child.once('exit', () => reject(new Error(output.wrong)));
    });
  assert.equal(await next(), 'shop 4\n');
  writeFileSync(join(files, 'token'), 'second');
  served.admits = admitting('second');
  const again = next();
  child.stdin.write('\n');
  assert.equal(await again, 'shop 4\n');
  assert.deepEqual(
    served.callers.slice(-3).map(({ authorization }) => authorization),
    ['Bearer first', 'Bearer first', 'Bearer second'],
  );
});
