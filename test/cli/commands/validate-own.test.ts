import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from '../../../src/cluster/client.ts';
import type { Service } from '../../../src/cluster/resources.ts';
import { apiServerUrl } from '../../../src/rehearsal/host.ts';
import { nodePool } from '../../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { type Ended, inShell, json, type Shell } from '../../support/cluster-commands.ts';
import { deployment, ingress, route, service, strong, strongAs } from '../../support/own-manifests.ts';
import { secrets } from '../../support/secrets.ts';

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'database' },
  stringData: { password: secrets.databasePassword },
};
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
const definition = (group: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `carts.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'carts', singular: 'cart', kind: 'Cart', listKind: 'CartList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});
const cart = (group: string) => ({ apiVersion: `${group}/v1`, kind: 'Cart', metadata: { name: 'first' } });
const places = {
  cart: (group: string) => ({ apiVersion: `${group}/v1`, kind: 'Cart', plural: 'carts', namespaced: true }),
  secret: { apiVersion: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true },
};

/** These manifests in a folder of their own, and a cluster that has the node pool. */
async function prepared({ folder, cluster, host }: Shell, ...all: readonly object[]): Promise<string> {
  await cluster.create(nodePool(validationSchema.parse({})));
  await host.clock.sleep(30);
  return written(folder, ...all);
}

function written(folder: string, ...all: readonly object[]): string {
  const file = join(folder, 'shop.yaml');
  writeFileSync(file, all.map((one) => JSON.stringify(one)).join('\n---\n'));
  return file;
}

const within = (all: readonly object[]): readonly object[] =>
  all.map((one) => ({ ...one, metadata: { ...(one as typeof secret).metadata, namespace: 'shop' } }));

const validate = async (shell: Shell, ...words: readonly string[]): Promise<Ended & { readonly out: string }> => {
  const out = join(shell.folder, `run-${words.length}`);
  return { out, ...(await shell.holdfast('validate', '--yes', '--out', out, '--scenario', 'node-drain', ...words)) };
};

interface Role {
  readonly metadata: { readonly namespace?: string };
  readonly rules: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
}

const client = ({ host }: Shell) => connect(host, { server: apiServerUrl });
const wordsOf = ({ stdout, stderr }: Ended): string => `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');

test('the manifests of -f are applied, validated, and deleted by --cleanup; the run folder has no Secret of them', (t) =>
  inShell(t, async (shell) => {
    const file = await prepared(shell, ...within([...strong(), secret]), namespace);
    const { exitCode, stdout, stderr, out } = await validate(shell, '-f', file, '--cleanup');
    assert.equal(exitCode, 0, stdout + stderr);
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    assert.deepEqual(
      report.undo.map(({ target, state }: { target: string; state: string }) => `${state} ${target}`).sort(),
      [
        'undone Deployment shop/shop-web',
        'undone Ingress shop/front',
        'undone Namespace shop',
        'undone Node ip-10-0-16-4.us-east-1.compute.internal',
        'undone PodDisruptionBudget shop/keep-one',
        'undone Secret shop/database',
        'undone Service shop/shop',
      ],
    );
    await shell.host.clock.sleep(120);
    assert.equal(await shell.cluster.get('Namespace', { name: 'shop' }), undefined);
    const at = { namespace: 'shop', name: 'database' };
    assert.equal(await client(shell).objectsOf(places.secret).get(at), undefined);
    const journal = readFileSync(join(out, 'journal.jsonl'), 'utf8');
    assert.ok(!journal.includes(secrets.databasePassword));
    const resources = journal.split('\n').flatMap((line) => JSON.parse(line || '{}').intent?.resource ?? []);
    for (const resource of resources) assert.deepEqual(Object.keys(resource), ['apiVersion', 'kind', 'metadata']);
    assert.equal(resources.length, 12, 'each of six is intended and performed');
  }));

test('without --cleanup they stay, and a second run takes them as they are', (t) =>
  inShell(t, async (shell) => {
    const file = await prepared(shell, ...strong());
    for (const words of [[], ['--quiet']]) {
      const { exitCode, stdout } = await validate(shell, '-f', file, ...words);
      assert.equal(exitCode, 0, stdout);
    }
    const found = await shell.cluster.get('Deployment', { namespace: 'default', name: 'shop-web' });
    assert.equal(found?.spec.replicas, 2);
    const planned = await shell.holdfast('plan', '-f', file);
    assert.match(planned.stdout, /unchanged Deployment default\/shop-web/);
  }));

test('a finding names the file, the line and the field of the manifests', (t) =>
  inShell(t, async (shell) => {
    const file = await prepared(shell, deployment(), service(), ingress());
    const { out } = await validate(shell, '-f', file);
    const { findings } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    const places = findings.flatMap(({ at }: { at?: { file: string; field: string } }) => at ?? []);
    assert.ok(places.some((one: { file: string; field: string }) => one.file === file && /preStop$/.test(one.field)));
  }));

test('a plan of -f writes nothing, and says of each object what phase 3 does with it', (t) =>
  inShell(t, async (shell) => {
    const file = await prepared(
      shell,
      cart('shop.example.com'),
      ...within(strong()),
      namespace,
      definition('shop.example.com'),
    );
    const writes: string[] = [];
    shell.intercept = ({ method, url }) => {
      if (method !== 'GET' && !/dryRun=All|selfsubjectaccessreviews/.test(url)) writes.push(`${method} ${url}`);
      return undefined;
    };
    const { exitCode, stdout } = await shell.holdfast('plan', '-f', file);
    assert.equal(exitCode, 0, stdout);
    const [applies = ''] = /Phase 3[\s\S]*?\n\n/.exec(stdout) ?? [];
    assert.deepEqual(
      applies
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.trim()),
      [
        'new Namespace shop',
        'new CustomResourceDefinition carts.shop.example.com',
        'new Service shop/shop',
        'new Deployment shop/shop-web',
        'new Ingress shop/front',
        'new PodDisruptionBudget shop/keep-one',
        'new Cart default/first',
      ],
    );
    assert.match(stdout, /creates Lease default\/holdfast/, 'the namespace of the application is not there yet');
    assert.deepEqual(writes, []);
  }));

test('a custom resource is applied after its definition, or by that of the cluster; else it is named with its line', (t) =>
  inShell(t, async (shell) => {
    const file = await prepared(
      shell,
      cart('ours.example.com'),
      definition('ours.example.com'),
      cart('theirs.example.com'),
      ...strong(),
    );
    const unserved = await validate(shell, '-f', file);
    assert.equal(unserved.exitCode, 2);
    assert.match(wordsOf(unserved), /shop\.yaml:5: Cart \(theirs\.example\.com\/v1\) is not served by this cluster/);
    const definitions = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      plural: 'customresourcedefinitions',
      namespaced: false,
    };
    await client(shell).objectsOf(definitions).apply(definition('theirs.example.com'), { fieldManager: 'somebody' });
    const { exitCode, stdout } = await validate(shell, '-f', file, '--cleanup');
    assert.equal(exitCode, 0, stdout);
    const left = async (group: string) =>
      client(shell).objectsOf(places.cart(group)).get({ namespace: 'default', name: 'first' });
    assert.deepEqual([await left('ours.example.com'), await left('theirs.example.com')], [undefined, undefined]);
    const kept = await client(shell).objectsOf(definitions).get({ name: 'carts.theirs.example.com' });
    assert.ok(kept, 'what was there before stays');
  }));

test('the kind of a new definition is waited for', (t) =>
  inShell(t, async (shell) => {
    const group = 'shop.example.com';
    const file = await prepared(shell, cart(group), definition(group), ...strong());
    const requests: string[] = [];
    const count = (request: string) => requests.filter((one) => one === request).length;
    const [definitionAsked, applied] = [`GET carts.${group}`, 'PATCH first'];
    shell.intercept = ({ method, url }) => {
      const request = `${method} ${new URL(url).pathname.split('/').at(-1)}`;
      requests.push(request);
      // Once by the pre-check, and twice by the action itself.
      const isYoung = request === definitionAsked && [4, 5].includes(count(definitionAsked));
      return isYoung ? json(200, { ...definition(group), status: { conditions: [] } }) : undefined;
    };
    const { exitCode, stdout } = await validate(shell, '-f', file);
    assert.equal(exitCode, 0, stdout);
    assert.equal(count(definitionAsked), 6);
    assert.ok(requests.indexOf(applied) > requests.lastIndexOf(definitionAsked));
  }));

test('the applications of -f and their pool are planned, permitted, validated and deleted in one run; --application chooses one', (t) =>
  inShell(t, async (shell) => {
    const pool = nodePool(validationSchema.parse({}));
    const file = written(shell.folder, pool, ...within(strong()), ...strongAs('forum'), namespace);
    const words = ['-f', file, '--scenario', 'node-drain', 'scale-down'];
    const plan = JSON.parse((await shell.holdfast('plan', '--json', ...words)).stdout);
    assert.deepEqual(plan.passes, [
      // With the numbers of the owners first what sets none.
      { scenario: 'node-drain', groups: [['shop/shop-web', 'default/forum-web']] },
      { scenario: 'scale-down', groups: [['shop/shop-web'], ['default/forum-web']] },
    ]);
    assert.match(
      (await shell.holdfast('plan', ...words)).stdout,
      /node-drain: once for shop\/shop-web, default\/forum-web\n/,
    );
    const { roles } = JSON.parse((await shell.holdfast('rbac', '--json', ...words)).stdout);
    const scaled = (roles as readonly Role[]).filter(({ rules }) =>
      rules.some(({ resources, verbs }) => resources.includes('deployments') && verbs.includes('patch')),
    );
    for (const namespace of ['shop', 'default'])
      assert.ok(
        scaled.some(({ metadata }) => metadata.namespace === namespace),
        namespace,
      );
    const { exitCode, stdout, out } = await validate(shell, '-f', file, '--cleanup');
    assert.equal(exitCode, 0, stdout);
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    assert.deepEqual(
      report.applications.map((one: { name: string; verdict: string }) => `${one.name} ${one.verdict}`),
      ['shop-web pass', 'forum-web pass'],
    );
    await shell.host.clock.sleep(120);
    assert.equal(await shell.cluster.get('Namespace', { name: 'shop' }), undefined);
    assert.equal(await shell.cluster.get('Deployment', { namespace: 'default', name: 'forum-web' }), undefined);
    assert.equal(await shell.cluster.get('NodePool', pool.metadata), undefined);
    const one = JSON.parse(
      (await shell.holdfast('plan', '--json', '-f', file, '--application', 'deploy/forum-web')).stdout,
    );
    assert.deepEqual([one.applications, one.lease], [undefined, 'Lease default/holdfast']);
  }));

test('what a run cannot validate is a mistake before anything is written', (t) =>
  inShell(t, async (shell) => {
    const other = [deployment('docs', 'docs'), service('docs', 'docs')];
    const rules = (serviceOf: string, host?: string) => ({
      rules: [
        {
          ...(host && { host }),
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: serviceOf, port: { number: 80 } } } }],
          },
        },
      ],
    });
    const cases: readonly (readonly [RegExp, readonly object[]])[] = [
      [
        /do not say under which name visitors reach Deployment\/docs: write its host into them, or set validation\.url/,
        [...strong(), ...other, { ...ingress(rules('docs')), metadata: { name: 'docs' } }],
      ],
      [
        /do not say under which name visitors reach Deployment\/shop-web: write its host into them, or set validation\.url/,
        [deployment(), service(), ingress(rules('shop'))],
      ],
      [
        /visitors reach Deployment\/shop-web neither by an Ingress or an HTTPRoute nor by a Service of type LoadBalancer/,
        [deployment(), { ...service(), spec: { ...(service() as Service).spec, type: 'NodePort' } }],
      ],
      [
        /shop\.yaml:\d+: HTTPRoute \(gateway\.networking\.k8s\.io\/v1\) is not served by this cluster: install its definition/,
        [deployment(), service(), route],
      ],
    ];
    for (const [said, all] of cases) {
      const ended = await validate(shell, '-f', written(shell.folder, ...all));
      assert.equal(ended.exitCode, 2, wordsOf(ended));
      assert.match(wordsOf(ended), said);
    }
    const both = await validate(shell, '-f', written(shell.folder, ...strong()), '--manifests', 'plain');
    assert.match(wordsOf(both), /--manifests chooses the specification’s objects: leave it out with -f/);
    assert.match(
      wordsOf(await validate(shell, '--application', 'Deployment/x')),
      /--application chooses among the manifests of -f/,
    );
    const kinds = await Promise.all(
      (['Deployment', 'Service'] as const).map((kind) => shell.cluster.list(kind, { namespace: 'default' })),
    );
    assert.deepEqual(
      kinds.flat().map(({ metadata }) => metadata.name),
      [],
    );
  }));

test('a namespace that nobody makes stops the run, which says how to make it', (t) =>
  inShell(t, async (shell) => {
    const file = await prepared(shell, ...within(strong()));
    const ended = await validate(shell, '-f', file);
    assert.equal(ended.exitCode, 3);
    assert.match(wordsOf(ended), /Ingress shop\/front, PodDisruptionBudget shop\/keep-one: there is no namespace shop/);
    assert.match(wordsOf(ended), /make it first: kubectl create namespace shop/);
  }));

test('rbac of -f grants what applies each kind where it is applied, and its deletion with --cleanup', (t) =>
  inShell(t, async (shell) => {
    const file = written(
      shell.folder,
      ...within([...strong(), secret, cart('shop.example.com')]),
      namespace,
      definition('shop.example.com'),
    );
    const { exitCode, stdout, stderr } = await shell.holdfast('rbac', '-f', file, '--cleanup', '--json');
    assert.equal(exitCode, 0, stderr);
    const { roles } = JSON.parse(stdout);
    const verbsOf = (namespaceOf: string | undefined, resource: string) =>
      roles
        .find(({ metadata }: { metadata: { namespace?: string } }) => metadata.namespace === namespaceOf)
        .rules.find(({ resources }: { resources: readonly string[] }) => resources.includes(resource))?.verbs;
    const all = ['get', 'create', 'patch', 'delete'];
    assert.deepEqual(verbsOf('shop', 'secrets'), all);
    assert.deepEqual(verbsOf('shop', 'carts'), all);
    assert.deepEqual(verbsOf(undefined, 'namespaces'), all);
    assert.deepEqual(verbsOf(undefined, 'customresourcedefinitions'), all);
    const alone = await shell.holdfast('rbac', '-f', written(shell.folder, ...strong(), cart('shop.example.com')));
    assert.match(
      alone.stderr,
      /Cart \(shop\.example\.com\/v1\) is defined nowhere: add its definition to -f, or ask the cluster by --check/,
    );
  }));
