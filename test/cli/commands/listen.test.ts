import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import type { Context } from '../../../src/cli/command/context.ts';
import { listen } from '../../../src/cli/commands/listen.ts';
import { listenText, settingsOf } from '../../../src/cli/commands/listen-text.ts';
import { readCredentials } from '../../../src/cluster/credentials.ts';
import { UsageError } from '../../../src/host/errors.ts';
import type { Host } from '../../../src/host/host.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const real = nodeHost();

/** A context of the command line: `stdout` is the first text on stdout, `interrupt` sends SIGINT. */
function contextOf(json: boolean) {
  const { promise: stdout, resolve: write } = Promise.withResolvers<string>();
  let interrupt = (): void => undefined;
  const onSignal: Host['onSignal'] = (_, listener) => {
    interrupt = () => listener('SIGINT');
    return () => undefined;
  };
  const host = { ...real, onSignal, out: { ...real.out, write } };
  const flags = { json, quiet: false, verbose: false, color: false };
  const context: Context = { host, environment: {}, version: '0.0.0', flags };
  return { context, stdout, interrupt: () => interrupt() };
}

test('rehearse --listen serves for --listen-for seconds, and writes a kubeconfig that only its owner can read', async (t) => {
  const out = `${temporaryFolder(t)}/run`;
  const { context, stdout } = contextOf(true);
  const startedAtMs = performance.now();
  assert.equal(await listen(context, { seed: 1, defect: [], out, listenFor: 0.2 }), 0);
  assert.ok(performance.now() - startedAtMs >= 200);
  assert.equal(statSync(`${out}/kubeconfig`).mode & 0o777, 0o600);
  const settings = JSON.parse(await stdout);
  assert.equal(settings.environment.KUBECONFIG, `${out}/kubeconfig`);
  assert.equal(settings.url, 'http://app.example.com/');
  const { access } = await readCredentials(real, { kubeconfig: `${out}/kubeconfig`, environment: {} });
  assert.equal(access.server, settings.apiServer);
  await assert.rejects(real.http({ method: 'GET', url: settings.apiServer }), /ECONNREFUSED/);
});

test('a signal ends rehearse --listen', async (t) => {
  const it = contextOf(false);
  const ended = listen(it.context, { seed: 1, defect: [], out: `${temporaryFolder(t)}/run` });
  const stdout = await it.stdout;
  it.interrupt();
  assert.equal(await ended, 0);
  assert.match(stdout, /^curl .*http:\/\/app\.example\.com\/$/m);
});

test('with a namespace the printed commands use the name alone; without one they use addresses and ports, and the text says why', () => {
  const numbers = { api: 1, application: 2, secureApplication: 3, resolver: 4, nameServer: 5, ec2: 6, route53: 7 };
  const texts = [{ enter: ['nsenter', '--target=8'] }, { because: 'Operation not permitted' }].map((namespace) =>
    listenText(settingsOf('/run/kubeconfig', 'http://app.example.com/', { ports: numbers, namespace })),
  );
  assert.match(texts[0] ?? '', /^nsenter --target=8 bash\ncurl http:\/\/app\.example\.com\/\ndig app\.example\.com$/m);
  assert.match(
    texts[1] ?? '',
    /Operation not permitted.*\n.*\ncurl --connect-to ::127\.0\.0\.1:2 http:\/\/app\.example\.com\/\n/,
  );
  assert.match(texts[1] ?? '', /^dig @127\.0\.0\.1 -p 4 app\.example\.com$/m);
});

test('an unknown defect is a usage error', async (t) => {
  const out = `${temporaryFolder(t)}/run`;
  await assert.rejects(listen(contextOf(false).context, { seed: 1, defect: ['no-such'], out }), UsageError);
});
