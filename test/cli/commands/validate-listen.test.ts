import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isThorough } from '../../../packages/embedded-cluster/test/support/seeds.ts';
import { connect } from '../../../src/cluster/client.ts';
import { readCredentials } from '../../../src/cluster/credentials.ts';
import { nodeHost } from '../../../src/host/node.ts';
import { inNamespace, served } from '../../support/listening.ts';

const host = nodeHost();

/**
 * Two terminals: `rehearse --listen` in one, and `validate` of one scenario in the other. Undefined where there are no
 * namespaces.
 */
async function validated(t: TestContext, scenario: string): Promise<Result | undefined> {
  const it = await served(t, '--manifests', 'hardened');
  if (it.enter === undefined) return undefined;
  const { kubeconfig } = it.settings;
  const words = ['--kubeconfig', kubeconfig, '--yes', '--allow-terminate', '--out', 'run', '--scenario', scenario];
  // A machine that is busy with other tests answers late now and then.
  writeFileSync(join(it.folder, 'holdfast.yaml'), 'validation: { monitor: { slow: 5s } }\n');
  const ended = await inNamespace(it, ['holdfast', 'validate', ...words]);
  const report = JSON.parse(readFileSync(join(it.folder, 'run', 'report.json'), 'utf8'));
  const result = report.scenarios.find(({ name }: { name: string }) => name === scenario);
  // Or even misses a tick: then the run has to be inconclusive.
  const isWhole = report.scenarios.every(({ downtime }: Result) => (downtime?.unknown ?? 0) === 0);
  assert.equal(ended.exitCode, isWhole ? 0 : 4, ended.stdout + ended.stderr);
  assert.deepEqual([report.partial, report.run.kind], [true, 'cluster']);
  const { access } = await readCredentials(host, { kubeconfig, environment: {} });
  const cluster = connect(host, access);
  const { spec } = (await cluster.get('Deployment', { namespace: 'default', name: 'nginx-test' })) ?? {};
  const [lease] = await cluster.list('Lease', { namespace: 'default', fieldSelector: 'metadata.name=holdfast' });
  assert.deepEqual([spec?.replicas, lease], [2, undefined], 'put back, and the lease given back');
  assert.ok(report.undo.every(({ state }: { state: string }) => state !== 'failed'));
  return result;
}

interface Result {
  readonly downtime: { readonly seconds: number; readonly bad: number; readonly unknown: number } | null;
}

test('validate over real sockets in real time gives the result of virtual time', async (t) => {
  const singleReplica = await validated(t, 'single-replica');
  if (singleReplica === undefined) return t.skip('network namespaces cannot be made here');
  const { bad = 0, seconds = 0 } = singleReplica.downtime ?? {};
  assert.ok(bad >= 1 && seconds >= 1 && seconds <= 5, `${seconds} s`);
});

test('a scenario without downtime has none over real sockets either', async (t) => {
  if (!isThorough) return t.skip('minutes of real time: npm run campaign -- many-seeds');
  const scaleDown = await validated(t, 'scale-down');
  if (scaleDown === undefined) return t.skip('network namespaces cannot be made here');
  assert.equal(scaleDown.downtime?.bad, 0);
});
