import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodePool } from '../../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { inShell, type Shell } from '../../support/cluster-commands.ts';
import { playGateway } from '../../support/gateway.ts';
import { route, strong } from '../../support/own-manifests.ts';

/** Manifests with an HTTPRoute instead of their Ingress, in a cluster that has the node pool. */
async function prepared({ folder, cluster, host }: Shell): Promise<string> {
  await cluster.create(nodePool(validationSchema.parse({})));
  await host.clock.sleep(30);
  const file = join(folder, 'shop.yaml');
  const all = [...strong().filter(({ kind }) => kind !== 'Ingress'), route];
  writeFileSync(file, all.map((one) => JSON.stringify(one)).join('\n---\n'));
  return file;
}

test('behind an HTTPRoute an application is validated, the controller of its Gateway too, and the route is put back', (t) =>
  inShell(t, async (shell) => {
    await playGateway(shell);
    const out = join(shell.folder, 'run');
    const file = await prepared(shell);
    const scenarios = ['--scenario', 'node-drain', 'ingress-controller-failure'];
    const words = ['validate', '--yes', '--out', out, '--cleanup', '-f', file, ...scenarios];
    const { exitCode, stdout, stderr } = await shell.holdfast(...words);
    assert.equal(exitCode, 0, stdout + stderr);
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    assert.deepEqual(
      report.scenarios.filter(({ verdict }: { verdict: string }) => verdict === 'pass').length,
      scenarios.length - 1,
    );
    const undone = report.undo.map(({ target, state }: { target: string; state: string }) => `${state} ${target}`);
    assert.ok(undone.includes('undone HTTPRoute default/shop'), undone.join(', '));
    const journal = readFileSync(join(out, 'journal.jsonl'), 'utf8');
    assert.match(journal, /"route-served","expected":"HTTPRoute taken by its Gateway","outcome":"met"/);
    assert.match(journal, /accepted by edge, its backends found/);
  }));

test('a route that no Gateway serves ends the run before anything is disturbed', (t) =>
  inShell(t, async (shell) => {
    await playGateway(shell, {
      type: 'ResolvedRefs',
      status: 'False',
      reason: 'BackendNotFound',
      message: 'no port 80',
    });
    const file = await prepared(shell);
    const { exitCode, stdout } = await shell.holdfast('validate', '--yes', '--scenario', 'node-drain', '-f', file);
    assert.equal(exitCode, 1, stdout);
    assert.match(stdout, /Node drain +not tested/);
    assert.match(stdout.replaceAll(/\s+/g, ' '), /ResolvedRefs is False \(BackendNotFound\): no port 80, after 120 s/);
  }));

test('a cluster without the Gateway API is reported with the line of the route', (t) =>
  inShell(t, async (shell) => {
    const file = await prepared(shell);
    const { exitCode, stderr } = await shell.holdfast('plan', '-f', file);
    assert.equal(exitCode, 2);
    assert.match(stderr, /shop\.yaml:7: HTTPRoute \(gateway\.networking\.k8s\.io\/v1\) is not served by this cluster/);
  }));

test('a plan of an HTTPRoute foresees the records that the DNS automation makes, and writes nothing', (t) =>
  inShell(t, async (shell) => {
    await playGateway(shell);
    const { exitCode, stdout, stderr } = await shell.holdfast('plan', '-f', await prepared(shell));
    assert.equal(exitCode, 0, stdout + stderr);
    assert.match(stdout, /new HTTPRoute default\/shop/);
    assert.match(stdout, /record shop\.example\.com of zone example\.com/);
  }));

test('rbac grants the reading and the applying of routes, also before the cluster knows them', (t) =>
  inShell(t, async (shell) => {
    const { exitCode, stdout, stderr } = await shell.holdfast(
      'rbac',
      '--json',
      '--cleanup',
      '-f',
      await prepared(shell),
    );
    assert.equal(exitCode, 0, stderr);
    const { roles } = JSON.parse(stdout);
    const rules = roles.flatMap(({ rules: all }: { readonly rules: readonly object[] }) => all);
    const verbsOf = (resource: string): readonly string[] =>
      rules.find(({ resources }: { readonly resources: readonly string[] }) => resources.includes(resource))?.verbs;
    assert.deepEqual(verbsOf('gateways'), ['get']);
    assert.deepEqual(verbsOf('httproutes').toSorted(), ['create', 'delete', 'get', 'patch']);
    assert.equal(verbsOf('ingresses'), undefined);
  }));
