import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from '../../src/cluster/client.ts';
import { readCredentials } from '../../src/cluster/credentials.ts';
import { nodeHost } from '../../src/host/node.ts';
import { inNamespace, served } from '../support/listening.ts';

const host = nodeHost();

/** Two terminals: `rehearse --listen` in one, and `validate` of one scenario in the other. Undefined where there are no namespaces. */
async function validated(t: TestContext, scenario: string) {
  const it = await served(t, '--manifests', 'hardened');
  if (it.enter === undefined) return undefined;
  const { kubeconfig } = it.settings;
  const words = ['--kubeconfig', kubeconfig, '--yes', '--allow-terminate', '--out', 'run', '--scenario', scenario];
  const ended = await inNamespace(it, ['holdfast', 'validate', ...words]);
  const report = JSON.parse(readFileSync(join(it.folder, 'run', 'report.json'), 'utf8'));
  const { access } = await readCredentials(host, { kubeconfig, environment: {} });
  const cluster = connect(host, access);
  const { spec } = (await cluster.get('Deployment', { namespace: 'default', name: 'nginx-test' })) ?? {};
  const [lease] = await cluster.list('Lease', { namespace: 'default', fieldSelector: 'metadata.name=holdfast' });
  assert.equal(ended.exitCode, 0, ended.stdout + ended.stderr);
  assert.deepEqual([report.verdict, report.partial, report.run.kind], ['pass', true, 'cluster']);
  assert.deepEqual([spec?.replicas, lease], [2, undefined], 'put back, and the lease given back');
  assert.ok(report.undo.every(({ state }: { state: string }) => state !== 'failed'));
  return report.scenarios.find(({ name }: { name: string }) => name === scenario);
}

test('validate proves over real sockets and in real time what it proves in virtual time', async (t) => {
  const [scaleDown, singleReplica] = await Promise.all([validated(t, 'scale-down'), validated(t, 'single-replica')]);
  if (scaleDown === undefined || singleReplica === undefined) return t.skip('network namespaces cannot be made here');
  assert.deepEqual([scaleDown.verdict, scaleDown.downtime.bad], ['pass', 0]);
  const { verdict, downtime, predicted } = singleReplica;
  assert.equal(verdict, 'pass', predicted);
  assert.ok(downtime.bad >= 1 && downtime.seconds <= 5, `${downtime.seconds} s`);
});
