import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Written } from '@holdfast/embedded-cluster';
import { tryObjects } from '@holdfast/embedded-cluster';
import { parse } from 'yaml';
import type { Clock } from '../../src/host/host.ts';
import { holdfast } from '../support/command-line.ts';
import { needs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type ClusterObject, documentsIn, kustomized, packaging } from './support/in-cluster-objects.ts';

const clock: Clock = { wallAt: () => 0, monotonicSeconds: () => 0, sleep: async () => {}, hold: (_, work) => work() };
const base = join(packaging, 'kustomize');
const chart = join(packaging, 'helm/holdfast');
const objects = kustomized(base);
const ofKind = (kind: string): readonly ClusterObject[] => objects.filter((object) => object.kind === kind);
const cronJob = ofKind('CronJob')[0];
const validation = cronJob?.spec.jobTemplate.spec.template;
const monitor = ofKind('Deployment')[0]?.spec.template;
const rolesIn = (text: string) => documentsIn(text).map(({ kind, metadata, rules }) => ({ kind, metadata, rules }));

test('a cluster takes every object of the base', async () => {
  const answers = await tryObjects({ clock }, objects as unknown as readonly Written[], 'default');
  const refused = answers.flatMap((answer) => (answer.outcome === 'refused' ? answer.causes : []));
  assert.deepEqual(refused, []);
  assert.deepEqual(new Set(answers.map(({ outcome }) => outcome)), new Set(['created']));
  assert.ok(objects.length >= 15, `${objects.length}`);
});

test('the service account of the validation has exactly what rbac prints', (t) => {
  const scenarios = validation.spec.containers[0].args.filter((word: string) => word.startsWith('--scenario='));
  assert.ok(scenarios.length > 0);
  const folder = temporaryFolder(t);
  for (const place of [join(base, 'validation'), join(chart, 'files')]) {
    const printed = holdfast(folder, ['rbac', '--config', join(place, 'holdfast.yaml'), ...scenarios]);
    assert.equal(printed.status, 0, printed.stderr);
    assert.deepEqual(rolesIn(readFileSync(join(place, 'roles.yaml'), 'utf8')), rolesIn(printed.stdout));
  }
  assert.deepEqual(
    parse(readFileSync(join(chart, 'values.yaml'), 'utf8')).validation.scenarios.map(
      (name: string) => `--scenario=${name}`,
    ),
    scenarios,
  );
});

test('each role of the base is bound to that account, and nothing else is', () => {
  const keyOf = ({ kind, metadata }: ClusterObject) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
  const bindings = [...ofKind('ClusterRoleBinding'), ...ofKind('RoleBinding')];
  const bound = bindings.map(({ roleRef, metadata }) => `${roleRef.kind} ${metadata.namespace ?? ''}/${roleRef.name}`);
  assert.deepEqual(bound.toSorted(), [...ofKind('ClusterRole'), ...ofKind('Role')].map(keyOf).toSorted());
  const account = ofKind('ServiceAccount')[0]?.metadata;
  for (const { subjects } of bindings) assert.deepEqual(subjects, [{ kind: 'ServiceAccount', ...account }]);
  assert.equal(validation.spec.serviceAccountName, account?.name);
});

test('pods run without privileges: another user than root, a root that cannot be written, no capability', () => {
  for (const { spec } of [monitor, validation]) {
    assert.deepEqual(spec.securityContext, {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      fsGroup: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    for (const { securityContext } of spec.containers)
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
  }
  assert.equal(monitor.spec.automountServiceAccountToken, false, 'the monitor asks no API server');
});

test('nothing disturbs a cluster before somebody says so, and never two at once', () => {
  assert.equal(cronJob?.spec.suspend, true);
  assert.equal(cronJob?.spec.concurrencyPolicy, 'Forbid');
  assert.equal(cronJob?.spec.jobTemplate.spec.backoffLimit, 0);
  assert.equal(parse(readFileSync(join(chart, 'values.yaml'), 'utf8')).validation.suspend, true);
});

test('the validation stays off the nodes that it disturbs', () => {
  const [term] = validation.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
  assert.deepEqual(term.matchExpressions, [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }]);
  assert.equal(validation.metadata.annotations['karpenter.sh/do-not-disrupt'], 'true');
});

test('validation and monitor may run on system nodes, which keep other pods off', () => {
  for (const { spec } of [monitor, validation])
    assert.deepEqual(spec.tolerations, [{ key: 'CriticalAddonsOnly', operator: 'Exists' }]);
  const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  assert.deepEqual(values.tolerations, validation.spec.tolerations);
});

test('the settings and the targets of base and chart are read without a mistake', (t) => {
  const folder = temporaryFolder(t);
  const settings = join(chart, 'files/holdfast.yaml');
  assert.equal(readFileSync(settings, 'utf8'), readFileSync(join(base, 'validation/holdfast.yaml'), 'utf8'));
  const words = monitor.spec.containers[0].args.filter((word: string) => !/^--(targets|log|metrics)=/.test(word));
  // Ends before a probe has ended, and looks up no name.
  const asked = ['--targets', join(base, 'monitor/targets.yaml'), '--log', join(folder, 'log'), '--duration', '0s'];
  const { status, stderr } = holdfast(folder, [...words, ...asked, '--proxy', 'http://127.0.0.1:9']);
  assert.equal(status, 1, stderr);
});

test('kubectl finds the program as its plugin', (t) => {
  if (!needs(t, 'kubectl')) return;
  const folder = temporaryFolder(t);
  const { bin } = JSON.parse(readFileSync(join(packaging, '../package.json'), 'utf8'));
  symlinkSync(join(packaging, '..', bin['kubectl-holdfast']), join(folder, 'kubectl-holdfast'));
  const path = [folder, dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, HOME: folder, KUBECONFIG: join(folder, 'none') };
  const run = spawnSync('kubectl', ['holdfast', 'precheck'], { cwd: folder, env, encoding: 'utf8' });
  assert.equal(run.status, 2, run.stdout + run.stderr);
  assert.match(run.stderr, /^holdfast: there is no kubeconfig \S+none: /);
});
