import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Context } from '../../../src/cli/command/context.ts';
import { precheck } from '../../../src/cli/commands/precheck.ts';
import type { Clock } from '../../../src/host/host.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { base64Of } from '../../support/certificates.ts';
import { needs } from '../../support/needs.ts';
import { secrets } from '../../support/secrets.ts';
import { serveApi } from '../../support/served-api.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const real = nodeHost();
const program = join(import.meta.dirname, '../../../bin/holdfast.js');

interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real program against a real server with a certificate authority of its own; the token is the bearer’s. */
async function served(
  t: TestContext,
  token: string = secrets.bearerToken,
): Promise<(...words: readonly string[]) => Promise<Ran>> {
  const it = await serveApi(t);
  const folder = temporaryFolder(t);
  const kubeconfig = join(folder, 'config');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: it.url, 'certificate-authority-data': base64Of(it.authority.ca) } }],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    }),
  );
  it.admits = ({ authorization }) => authorization === `Bearer ${secrets.bearerToken}`;
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    KUBECONFIG: kubeconfig,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  return (...words) =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: environment, timeout: 60_000 };
      execFile(process.execPath, [program, ...words], options, (error, stdout, stderr) =>
        resolve({ exitCode: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
}

/** Neither the token nor a stack. */
function assertSpeech({ stdout, stderr }: Ran): void {
  assert.ok(!(stdout + stderr).includes(secrets.bearerToken));
  assert.doesNotMatch(stdout + stderr, /\n\s+at /);
}

test('precheck and rbac --check work with an API server over HTTPS, and print no secret', async (t) => {
  if (!needs(t, 'openssl')) return;
  const holdfast = await served(t);
  const [precheck, allowed] = await Promise.all([holdfast('precheck', '--json'), holdfast('rbac', '--check')]);
  assert.equal(precheck.exitCode, 3, precheck.stderr);
  const { findings } = JSON.parse(precheck.stdout);
  const observed = (id: string) => findings.find((finding: { id: string }) => finding.id === id);
  assert.equal(observed('ingress-address').observed, 'there is no such Service');
  assert.equal(observed('clocks').severity, 'info', observed('clocks').observed);
  assert.equal(observed('permissions').severity, 'info');
  assert.match(`${observed('cloud-zone').severity} ${observed('cloud-zone').observed}`, /^warning .*credentials/);
  assert.deepEqual([allowed.exitCode, allowed.stderr], [0, '']);
  for (const ended of [precheck, allowed]) assertSpeech(ended);
});

test('validate stops at a failed pre-check with exit 3, and writes its reports', async (t) => {
  if (!needs(t, 'openssl')) return;
  const holdfast = await served(t);
  const ended = await holdfast('validate', '--scenario', 'scale-up', '--yes', '--out', 'run');
  assert.equal(ended.exitCode, 3, ended.stderr);
  assert.match(ended.stdout, /there is no such Service/);
  assertSpeech(ended);
});

test('an unreachable server and a refused token have a sentence each', async (t) => {
  if (!needs(t, 'openssl')) return;
  const holdfast = await served(t, `old-${secrets.bearerToken}`);
  const refused = await holdfast('audit');
  assert.equal(refused.exitCode, 4);
  assert.match(refused.stderr, /^holdfast: .* 401 Unauthorized.*does not know these credentials: try kubectl .*\n$/);
  assert.ok(!refused.stderr.includes(secrets.bearerToken));
  const away = await holdfast('audit', '--kubeconfig', unreachable(temporaryFolder(t)));
  assert.equal(away.exitCode, 4);
  assert.match(away.stderr, /^holdfast: .*127\.0\.0\.1:9.*ECONNREFUSED.*can be reached from here: kubectl .*\n$/);
});

test('the checks of an unreachable server say how to reach it, and not that a permission is missing', async (t) => {
  const folder = temporaryFolder(t);
  const said: string[] = [];
  const context: Context = {
    host: {
      ...real,
      clock: { ...real.clock, sleep: soon },
      out: { ...real.out, write: (text) => void said.push(text) },
    },
    environment: { HOME: folder, AWS_EC2_METADATA_DISABLED: 'true' },
    version: '0.0.0',
    flags: { json: true, quiet: false, verbose: false, color: false },
  };
  assert.equal(await precheck(context, { operands: [], options: { kubeconfig: unreachable(folder) } }), 3);
  assert.match(said.join(''), /kubectl cluster-info with the same context/);
  assert.doesNotMatch(said.join(''), /holdfast rbac/);
});

/**
 * Each check makes four attempts. The pauses between them take no time here, which saves most of a minute; the limit of
 * a request is real.
 */
const soon: Clock['sleep'] = (seconds, signal) => real.clock.sleep(seconds < 5 ? 0 : seconds, signal);

/** A kubeconfig for a server that is not there. */
function unreachable(folder: string): string {
  const kubeconfig = join(folder, 'config');
  const document = {
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:9' } }],
    users: [{ name: 'u', user: { token: 'x' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  writeFileSync(kubeconfig, JSON.stringify(document));
  return kubeconfig;
}
