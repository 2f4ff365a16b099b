import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from '../../src/cluster/client.ts';
import { readCredentials } from '../../src/cluster/credentials.ts';
import type { KubeconfigChoice } from '../../src/cluster/kubeconfig.ts';
import { UsageError } from '../../src/host/errors.ts';
import { nodeHost } from '../../src/host/node.ts';
import { base64Of } from '../support/certificates.ts';
import { forwardProxy } from '../support/forward-proxy.ts';
import { needs } from '../support/needs.ts';
import { secrets } from '../support/secrets.ts';
import { type ServedApi, serveApi } from '../support/served-api.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const host = nodeHost();

interface Written {
  readonly path: string;
  readonly folder: string;
}

/** A kubeconfig of one cluster and one user, as kubectl writes it. */
function kubeconfig(
  t: TestContext,
  served: Pick<ServedApi, 'url' | 'authority'>,
  user: object,
  more: object = {},
): Written {
  const folder = temporaryFolder(t);
  const path = join(folder, 'config');
  writeFileSync(path, JSON.stringify(document(served, user, more)));
  return { path, folder };
}

function document({ url, authority }: Pick<ServedApi, 'url' | 'authority'>, user: object, more: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: url, 'certificate-authority-data': base64Of(authority.ca), ...more } }],
    users: [{ name: 'u', user }],
    contexts: [
      { name: 'here', context: { cluster: 'c', user: 'u', namespace: 'web' } },
      { name: 'there', context: { cluster: 'c', user: 'u' } },
    ],
    'current-context': 'here',
  };
}

/** The namespaces, over the wire. */
async function namespacesBy(choice: Partial<KubeconfigChoice>): Promise<readonly string[]> {
  const { access } = await readCredentials(host, { environment: {}, ...choice });
  const found = await connect(host, access).list('Namespace');
  return found.map(({ metadata }) => metadata.name);
}

const everywhere = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

test('over plain http no token is sent and no exec plugin is run, except to this machine where the command line names the kubeconfig', async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'config');
  const marker = join(folder, 'ran');
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: [marker] };
  const headersBy = async (server: string, user: object, choice: Partial<KubeconfigChoice>) => {
    writeFileSync(
      path,
      JSON.stringify(document({ url: server, authority: { ca: import.meta.filename } as never }, user)),
    );
    const { access } = await readCredentials(host, { environment: {}, ...choice });
    return access.headers?.(false).catch(() => undefined);
  };
  const token = { token: secrets.bearerToken };
  for (const server of ['http://10.0.0.1:8080', 'http://api.example', 'http://127.0.0.1.example'])
    for (const choice of [{ kubeconfig: path }, { environment: { KUBECONFIG: path } }]) {
      assert.equal(await headersBy(server, token, choice), undefined, server);
      assert.equal(await headersBy(server, { exec }, choice), undefined, server);
    }
  const local = 'http://127.0.0.1:8080';
  assert.equal(await headersBy(local, token, { environment: { KUBECONFIG: path } }), undefined);
  assert.equal(existsSync(marker), false);
  assert.deepEqual(await headersBy(local, token, { kubeconfig: path }), {
    Authorization: `Bearer ${secrets.bearerToken}`,
  });
});

test('a client certificate is read from files beside the kubeconfig and from data in it', async (t) => {
  if (!needs(t, 'openssl')) return;
  const served = await serveApi(t);
  const { key, cert } = served.authority.sign('alice');
  served.admits = ({ certificate }) => certificate === 'alice';
  const data = kubeconfig(t, served, { 'client-certificate-data': base64Of(cert), 'client-key-data': base64Of(key) });
  assert.deepEqual(await namespacesBy({ kubeconfig: data.path }), everywhere);
  const files = kubeconfig(t, served, { 'client-certificate': 'pki/alice.crt', 'client-key': 'pki/alice.key' });
  mkdirSync(join(files.folder, 'pki'));
  writeFileSync(join(files.folder, 'pki/alice.crt'), readFileSync(cert));
  writeFileSync(join(files.folder, 'pki/alice.key'), readFileSync(key));
  assert.deepEqual(await namespacesBy({ kubeconfig: files.path }), everywhere);
});

test('a token is sent, and tls-server-name is used', async (t) => {
  if (!needs(t, 'openssl')) return;
  const served = await serveApi(t);
  served.admits = ({ authorization }) => authorization === `Bearer ${secrets.bearerToken}`;
  const { path } = kubeconfig(t, served, { token: secrets.bearerToken }, { 'tls-server-name': 'api.example' });
  assert.deepEqual(await namespacesBy({ kubeconfig: path }), everywhere);
  const impersonating = kubeconfig(t, served, { token: secrets.bearerToken, as: 'bob' });
  await namespacesBy({ kubeconfig: impersonating.path });
  assert.equal(served.callers.at(-1)?.impersonated, 'bob');
});

test('a server with another authority than the kubeconfig’s is refused, unless insecure-skip-tls-verify is set', async (t) => {
  if (!needs(t, 'openssl')) return;
  const served = await serveApi(t);
  const without = { 'certificate-authority-data': undefined };
  const { path } = kubeconfig(t, served, { token: 'x' }, without);
  await assert.rejects(namespacesBy({ kubeconfig: path }), /certificate/);
  assert.equal(served.callers.length, 0);
  const careless = kubeconfig(t, served, { token: 'x' }, { ...without, 'insecure-skip-tls-verify': true });
  assert.deepEqual(await namespacesBy({ kubeconfig: careless.path }), everywhere);
});

test('requests and watches go by the proxy-url of the kubeconfig, with TLS to the API server', async (t) => {
  if (!needs(t, 'openssl') || !needs(t, 'tinyproxy')) return;
  const [served, by] = [await serveApi(t), await forwardProxy(t, `holdfast:${secrets.addressPassword}`)];
  const { path } = kubeconfig(t, served, { token: 'x' }, { 'proxy-url': by.url });
  assert.deepEqual(await namespacesBy({ kubeconfig: path }), everywhere);
  const { host: address } = new URL(served.url);
  assert.deepEqual(new Set(by.requests()), new Set([`CONNECT ${address}`]));
  const { access } = await readCredentials(host, { environment: {}, kubeconfig: path });
  const ended = new AbortController();
  const seen: string[] = [];
  const client = connect(host, access);
  for await (const event of client.watch('Namespace', {}, ended.signal)) {
    seen.push(JSON.stringify(event));
    ended.abort();
  }
  assert.equal(seen.length > 0, true);
});

/**
 * An exec plugin that counts its calls and gives out a token with that number; the script is relative to the
 * kubeconfig.
 */
function withPlugin(t: TestContext, served: ServedApi, status: string): Written & { readonly calls: () => number } {
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './plugin', args: ['get-token'] };
  const written = kubeconfig(t, served, { exec });
  const calls = join(written.folder, 'calls');
  writeFileSync(calls, '');
  const plugin = join(written.folder, 'plugin');
  writeFileSync(
    plugin,
    `#!/bin/sh
case "$KUBERNETES_EXEC_INFO" in *ExecCredential*) ;; *) echo "no KUBERNETES_EXEC_INFO" >&2; exit 1 ;; esac
printf x >> ${calls}
n=$(wc -c < ${calls})
echo "{\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"kind\\":\\"ExecCredential\\",\\"status\\":${status}}"
`,
  );
  chmodSync(plugin, 0o755);
  return { ...written, calls: () => readFileSync(calls, 'utf8').length };
}

test('an exec plugin runs once for many requests, and again after its token was refused or has expired', async (t) => {
  if (!needs(t, 'openssl')) return;
  const served = await serveApi(t);
  const plugin = withPlugin(t, served, '{\\"token\\":\\"token-$n\\"}');
  const { access } = await readCredentials(host, { kubeconfig: plugin.path, environment: {} });
  const client = connect(host, access);
  await Promise.all([client.list('Node'), client.list('Pod'), client.list('Service')]);
  assert.equal(plugin.calls(), 1);
  served.admits = ({ authorization }) => authorization === 'Bearer token-2';
  await Promise.all([client.list('Node'), client.list('Pod')]);
  assert.ok(plugin.calls() >= 2 && plugin.calls() <= 3, `${plugin.calls()} calls`);

  served.admits = () => true;
  const expired = withPlugin(t, served, '{\\"token\\":\\"t$n\\",\\"expirationTimestamp\\":\\"2020-01-01T00:00:00Z\\"}');
  const brief = connect(host, (await readCredentials(host, { kubeconfig: expired.path, environment: {} })).access);
  await brief.list('Node');
  await brief.list('Node');
  assert.equal(expired.calls(), 2, 'a token that has expired is never sent again');
});

test('an exec plugin may give a certificate', async (t) => {
  if (!needs(t, 'openssl')) return;
  const served = await serveApi(t);
  const { key, cert } = served.authority.sign('carol');
  const pem = (path: string) =>
    JSON.stringify(JSON.stringify(readFileSync(path, 'utf8')))
      .slice(1, -1)
      .replaceAll('\\\\n', '\\\\\\\\n');
  served.admits = ({ certificate }) => certificate === 'carol';
  const status = `{\\"clientCertificateData\\":${pem(cert)},\\"clientKeyData\\":${pem(key)}}`;
  assert.deepEqual(await namespacesBy({ kubeconfig: withPlugin(t, served, status).path }), everywhere);
});

test('an error of an exec plugin has its standard error and not its standard output', async (t) => {
  if (!needs(t, 'openssl')) return;
  const served = await serveApi(t);
  const plugin = (script: string) => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './plugin' };
    const written = kubeconfig(t, served, { exec });
    writeFileSync(join(written.folder, 'plugin'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return written;
  };
  await assert.rejects(namespacesBy({ kubeconfig: plugin(`echo ${secrets.bearerToken}`).path }), (error: Error) => {
    assert.match(error.message, /user u by .*plugin: what the program printed is no ExecCredential/);
    assert.ok(!error.message.includes(secrets.bearerToken));
    return true;
  });
  await assert.rejects(namespacesBy({ kubeconfig: plugin('echo log in first >&2; exit 3').path }), /log in first/);
});

test('a kubeconfig is found by kubectl’s rules, and the first entry of a name wins', async (t) => {
  const authority = { ca: join(import.meta.dirname, '../../package.json'), sign: () => ({ cert: '', key: '' }) };
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, '.kube'));
  const [home, other] = [join(folder, '.kube/config'), join(folder, 'other')];
  writeFileSync(home, JSON.stringify(document({ url: 'https://home', authority }, { token: 'x' })));
  writeFileSync(
    other,
    JSON.stringify({ ...document({ url: 'https://other', authority }, {}), 'current-context': 'there' }),
  );
  const read = async (choice: KubeconfigChoice) => {
    const { access, context, namespace } = await readCredentials(host, choice);
    return [access.server, context, namespace];
  };
  assert.deepEqual(await read({ environment: { HOME: folder } }), ['https://home', 'here', 'web']);
  const environment = { KUBECONFIG: `${join(folder, 'missing')}:${other}:${home}` };
  assert.deepEqual(await read({ environment }), ['https://other', 'there', undefined]);
  assert.deepEqual(await read({ environment, context: 'here' }), ['https://other', 'here', 'web']);
  assert.deepEqual(await read({ environment, kubeconfig: home }), ['https://home', 'here', 'web']);
});

test('a missing kubeconfig, context or cluster is one sentence', async (t) => {
  const folder = temporaryFolder(t);
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const authority = { ca: join(import.meta.dirname, '../../package.json'), sign: () => ({ cert: '', key: '' }) };
  const good = document({ url: 'https://x', authority }, { token: 'x' });
  const wrong: readonly (readonly [Partial<KubeconfigChoice>, RegExp])[] = [
    [
      { kubeconfig: join(folder, 'none') },
      /^there is no kubeconfig .*none: name one with --kubeconfig or KUBECONFIG\.$/,
    ],
    [{ environment: { HOME: folder } }, /^there is no kubeconfig .*\.kube\/config:/],
    [
      { kubeconfig: write('text', `token: [${secrets.bearerToken}`) },
      /text is not a kubeconfig: it is not valid YAML\.$/,
    ],
    [{ kubeconfig: write('half', '{"clusters":[{"name":"c"}]}') }, /clusters\[0\]\.cluster is missing\.$/],
    [
      { kubeconfig: write('good', JSON.stringify(good)), context: 'nowhere' },
      /^there is no context nowhere in .*good; known are here, there\.$/,
    ],
    [
      { kubeconfig: write('open', JSON.stringify({ ...good, 'current-context': '' })) },
      /has no current context: choose one with --context \(here, there\)\.$/,
    ],
    [
      {
        kubeconfig: write(
          'proxy',
          JSON.stringify(document({ url: 'https://x', authority }, {}, { 'proxy-url': 'socks5://p' })),
        ),
      },
      /the proxy-url of the cluster c is no http:\/\/ or https:\/\/ address/,
    ],
  ];
  for (const [choice, sentence] of wrong) {
    await assert.rejects(readCredentials(host, { environment: {}, ...choice }), (error: unknown) => {
      assert.ok(error instanceof UsageError, String(error));
      assert.equal(error.mistakes.length, 1);
      assert.match(error.mistakes[0] ?? '', sentence);
      assert.ok(!error.message.includes(secrets.bearerToken));
      return true;
    });
  }
});
