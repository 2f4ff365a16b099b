import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { inShell, json } from '../../support/cluster-commands.ts';
import { holdfast } from '../../support/command-line.ts';

const secret = 'hunter2-planted';
const planted = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'planted', namespace: 'default', annotations: { password: secret } },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'planted' } },
    template: {
      metadata: { labels: { app: 'planted' }, annotations: { password: secret } },
      spec: {
        nodeSelector: { 'eks.amazonaws.com/nodegroup': 'system' },
        tolerations: [{ operator: 'Exists' }],
        containers: [
          {
            name: 'main',
            image: 'registry.example.com/planted:1',
            ports: [{ containerPort: 80 }],
            command: ['run', secret],
            args: [secret],
            env: [{ name: 'PASSWORD', value: secret }],
            readinessProbe: {
              httpGet: { path: `/${secret}`, port: 80, httpHeaders: [{ name: 'token', value: secret }] },
            },
          },
        ],
      },
    },
  },
} as const;

test('a snapshot is taken by lists alone, has no secret, and is what what-if answers from', (t) =>
  inShell(t, async (shell) => {
    await shell.cluster.create(planted as never);
    await shell.host.clock.sleep(60);
    const asked = new Set<string>();
    shell.intercept = ({ method, url }) => {
      asked.add(`${method} ${new URL(url).pathname.split('/').at(-1)}`);
      return undefined;
    };
    const file = join(shell.folder, 'cluster.snapshot.gz');
    const { exitCode, stdout } = await shell.holdfast('snapshot', '--out', file, '--json');
    assert.equal(exitCode, 0, stdout);
    const { kinds, refused } = JSON.parse(stdout);
    assert.equal(kinds.Node, 3);
    assert.deepEqual(refused, []);
    assert.ok([...asked].every((one) => one.startsWith('GET ')));
    assert.doesNotMatch([...asked].join(' '), /secrets|configmaps/);
    const text = gunzipSync(readFileSync(file)).toString();
    assert.doesNotMatch(text, new RegExp(secret));
    const header = JSON.parse(text.split('\n')[0] ?? '');
    assert.equal(header.holdfast, 'snapshot');
    assert.equal(header.kubernetes?.startsWith('v1.34'), true);
    const node = /"kind":"Node","metadata":\{"name":"([^"]+)"/.exec(text)?.[1] ?? '';
    const answered = holdfast(shell.folder, ['what-if', 'drain', node, '--cluster', file, '--json']);
    const { workloads, notSimulated } = JSON.parse(answered.stdout);
    assert.ok(workloads.length > 0, answered.stderr);
    assert.deepEqual(notSimulated, [
      '3 nodes of no NodeClaim: nothing replaces one here, as a node group or another autoscaler may.',
    ]);
  }));

test('a kind that may not be read is named, and what-if says what it cannot answer without it', (t) =>
  inShell(t, async (shell) => {
    const words = 'poddisruptionbudgets.policy is forbidden';
    shell.intercept = ({ url }) =>
      url.includes('poddisruptionbudgets')
        ? json(403, { kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403, message: words })
        : undefined;
    const file = join(shell.folder, 'cluster.snapshot.gz');
    const { stdout } = await shell.holdfast('snapshot', '--out', file);
    assert.match(stdout, /^\S+cluster\.snapshot\.gz: 3 nodes and \d+ pods, \d+ KiB\.\n/);
    assert.match(stdout, /without PodDisruptionBudget: poddisruptionbudgets\.policy is forbidden\n$/);
    const text = gunzipSync(readFileSync(file)).toString();
    const node = /"kind":"Node","metadata":\{"name":"([^"]+)"/.exec(text)?.[1] ?? '';
    const answered = holdfast(shell.folder, ['what-if', 'drain', node, '--cluster', file]);
    assert.match(answered.stdout, /The copy has no PodDisruptionBudget: whether a budget blocks cannot be said\./);
  }));

test('rbac --scenario snapshot prints get and list of what a snapshot reads, and no Secret', (t) =>
  inShell(t, async (shell) => {
    const { stdout } = await shell.holdfast('rbac', '--scenario', 'snapshot', '--json');
    const { roles } = JSON.parse(stdout);
    assert.equal(roles.length, 1);
    assert.deepEqual(
      new Set(roles[0].rules.flatMap(({ verbs }: { readonly verbs: readonly string[] }) => verbs)),
      new Set(['get', 'list']),
    );
    assert.match(stdout, /"poddisruptionbudgets"/);
    assert.doesNotMatch(stdout, /secrets|configmaps/);
    assert.equal((await shell.holdfast('rbac', '--scenario', 'snapshot', '--check')).exitCode, 0);
  }));
