import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Resource } from '../../../src/cluster/kinds.ts';
import { manifests } from '../../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { type Ended, inShell, type Shell } from '../../support/cluster-commands.ts';

/** Somebody's own application, three replicas, labelled in their own way. */
async function shop({ cluster, host }: Shell, replicas = 3): Promise<void> {
  const settings = validationSchema.parse({ application: 'shop', disruptionBudget: 'shop' });
  const text = JSON.stringify(manifests(settings)).replaceAll('"app":"shop"', '"tier":"shop"');
  for (const resource of JSON.parse(text) as readonly Resource[]) {
    const spec = resource.kind === 'Deployment' ? { ...resource.spec, replicas } : (resource as { spec: object }).spec;
    await cluster.create({ ...resource, spec } as Resource);
  }
  await host.clock.sleep(420);
}

async function config(shell: Shell, more = ''): Promise<readonly string[]> {
  const path = join(shell.folder, 'holdfast.yaml');
  const own = 'application: shop, disruptionBudget: shop, manifests: none';
  await shell.host.files.replace(path, `validation: { ${own}, applicationSelector: tier=shop${more} }`);
  return ['--config', path];
}

/** Without its line breaks, which come where a line is full. */
const wordsOf = ({ stdout }: Ended): string => stdout.replaceAll(/\s+/g, ' ');

const hpa = (minReplicas: number, maxReplicas = 10) =>
  ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { namespace: 'default', name: 'shop' },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop' }, minReplicas, maxReplicas },
  }) as const;

const validate = async (shell: Shell, ...scenarios: readonly string[]) => {
  const out = join(shell.folder, `run-${scenarios.join('-')}`);
  const words = [...(await config(shell)), '--out', out, '--yes', '--scenario', ...scenarios];
  const ended = await shell.holdfast('validate', ...words);
  return { ...ended, report: JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) };
};

test('manifests: none validates an existing application and applies nothing', (t) =>
  inShell(t, async (shell) => {
    await shop(shell);
    const applied = new Set<string>();
    shell.intercept = ({ headers, url }) => {
      if (headers?.['content-type'] === 'application/apply-patch+yaml') applied.add(url);
      return undefined;
    };
    const ended = await validate(shell, 'node-drain');
    assert.equal(ended.exitCode, 0, ended.stdout);
    assert.deepEqual([...applied], []);
    const shopNow = await shell.cluster.get('Deployment', { namespace: 'default', name: 'shop' });
    assert.equal(shopNow?.spec.replicas, 3, 'the replicas are as before');
  }));

test('an object that is missing, not selected or does not answer stops the run, and is named', (t) =>
  inShell(t, async (shell) => {
    const words = await config(shell);
    const absent = await shell.holdfast('precheck', ...words);
    assert.equal(absent.exitCode, 3);
    assert.match(wordsOf(absent), /there is no Deployment shop, Service shop, Ingress shop, PodDisruptionBudget shop/);
    assert.match(wordsOf(absent), /there is no NodePool general-purpose-arm/);
    await shop(shell);
    assert.equal((await shell.holdfast('precheck', ...words)).exitCode, 0);
    const unselected = await shell.holdfast('precheck', ...(await config(shell, '')).slice(0, 1), await other(shell));
    assert.match(wordsOf(unselected), /there is no label tier=other on its pods/);
    const wrongPage = await shell.holdfast('precheck', ...(await config(shell, ', monitor: { body: Shop }')));
    assert.equal(wrongPage.exitCode, 3);
    assert.match(wordsOf(wrongPage), /status 200, and the page does not begin with 'Shop'/);
  }));

async function other(shell: Shell): Promise<string> {
  const path = join(shell.folder, 'other.yaml');
  const own = 'application: shop, disruptionBudget: shop, manifests: none';
  await shell.host.files.replace(path, `validation: { ${own}, applicationSelector: tier=other }`);
  return path;
}

test('an existing application is never scaled below what its owner allows, and the finding names the limit', (t) =>
  inShell(t, async (shell) => {
    await shop(shell);
    await shell.cluster.create(hpa(3));
    const planned = await shell.holdfast('plan', '--json', ...(await config(shell)), '--scenario', 'scale-down');
    const [plan] = JSON.parse(planned.stdout).scenarios;
    assert.deepEqual(plan.writes, [], 'a plan does not promise what the run leaves out');
    assert.match(plan.open, /HorizontalPodAutoscaler shop wants 3 now/);
    const seen = new Set<number | undefined>();
    shell.intercept = () => {
      void shell.cluster
        .get('Deployment', { namespace: 'default', name: 'shop' })
        .then((now) => seen.add(now?.spec.replicas));
      return undefined;
    };
    const ended = await validate(shell, 'scale-down', 'single-replica', 'ingress-controller-failure');
    assert.ok(
      [...seen].every((replicas) => (replicas ?? 0) >= 3),
      [...seen].join(),
    );
    const because = (name: string) =>
      JSON.stringify(ended.report.scenarios.find((one: { name: string }) => one.name === name).findings);
    assert.match(because('scale-down'), /HorizontalPodAutoscaler shop wants 3 now/);
    const single = ended.report.scenarios.find((one: { name: string }) => one.name === 'single-replica');
    assert.match(single.notApplicable, /its owner wants at least 3/, 'a demonstration that is not made is no failure');
    assert.equal(ended.exitCode, 4, 'inconclusive, not passed');
  }));

test('it is not scaled above its HorizontalPodAutoscaler either; such a writer and a GitOps controller are named by the pre-check', (t) =>
  inShell(t, async (shell) => {
    await shop(shell);
    await shell.cluster.create(hpa(1, 4));
    const value = { metadata: { labels: { 'argocd.argoproj.io/instance': 'shop' } } };
    await shell.cluster.patch('Deployment', { namespace: 'default', name: 'shop' }, { type: 'merge', value });
    const checked = await shell.holdfast('precheck', ...(await config(shell)));
    assert.equal(checked.exitCode, 0, 'they are warnings');
    assert.match(
      wordsOf(checked),
      /HorizontalPodAutoscaler default\/shop sets 1 to 4 replicas; Argo CD keeps Deployment default\/shop in sync/,
    );
    const ended = await validate(shell, 'scale-up');
    assert.match(JSON.stringify(ended.report), /it needs 3 replicas, and HorizontalPodAutoscaler shop wants 1 now/);
  }));
