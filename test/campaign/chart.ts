import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Written } from '@holdfast/embedded-cluster';
import { tryObjects } from '@holdfast/embedded-cluster';
import type { Clock } from '../../src/host/host.ts';
import { type ClusterObject, documentsIn, packaging } from '../packaging/support/in-cluster-objects.ts';
import { whereIs } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// Helm 3 and Kustomize 5 are Go programs: `go install helm.sh/helm/v3/cmd/helm@v3.19.0
// sigs.k8s.io/kustomize/kustomize/v5@latest`. Without kustomize that of kubectl is taken. Built so, helm takes
// Kubernetes for 1.20, and is told another version. With KUBECONFIG the objects are dry-run on that API server too;
// namespaces that are missing there, and the definition of ServiceMonitors, are made and deleted again.

const chart = join(packaging, 'helm/holdfast');
const namespace = 'holdfast-chart';
const cluster = ['--namespace', namespace, '--kube-version', '1.34.4'];
const clock: Clock = { wallAt: () => 0, monotonicSeconds: () => 0, sleep: async () => {}, hold: (_, work) => work() };

/** The values of a chart that has everything. */
const everything = {
  image: { repository: 'registry.example.com/holdfast', tag: '1.2.3', pullSecrets: [{ name: 'registry' }] },
  monitor: {
    serviceMonitor: true,
    targets: ['https://a.example.com/', { url: 'https://b.example.com/', interval: '5s' }],
    arguments: ['--slow=500ms'],
  },
  validation: {
    suspend: false,
    metrics: 'http://pushgateway.monitoring:9091',
    arguments: ['--allow-terminate', '--cleanup'],
    scenarios: ['scale-up', 'instance-kill'],
    serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/holdfast' } },
    runs: { size: '1Gi', storageClass: 'gp3' },
  },
};
const variants = { default: {}, everything, 'monitor alone': { validation: { enabled: false } } };

/** What the Prometheus operator defines, as far as the chart uses it. */
const serviceMonitors = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'servicemonitors.monitoring.coreos.com' },
  spec: {
    group: 'monitoring.coreos.com',
    scope: 'Namespaced',
    names: {
      kind: 'ServiceMonitor',
      plural: 'servicemonitors',
      singular: 'servicemonitor',
      listKind: 'ServiceMonitorList',
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

function output(program: string, words: readonly string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    input,
    maxBuffer: 64 * 1024 * 1024,
  });
  assert.equal(status, 0, `${program} ${words.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

function needsProgram(t: TestContext, ...names: readonly string[]): string | undefined {
  const found = names.find((name) => whereIs(name) !== undefined);
  if (found === undefined) t.skip(`${names.join(' or ')} is not installed`);
  return found;
}

function valuesIn(t: TestContext, values: object): string {
  const path = join(temporaryFolder(t), 'values.json');
  writeFileSync(path, JSON.stringify(values));
  return path;
}

const rendered = (t: TestContext, values: object): readonly ClusterObject[] =>
  documentsIn(output('helm', ['template', 'holdfast', chart, ...cluster, '--values', valuesIn(t, values)]));

/** The base with the component of the Prometheus operator, as docs/in-the-cluster.md has it. */
function built(t: TestContext, program: string): readonly ClusterObject[] {
  const folder = join(temporaryFolder(t), 'own');
  mkdirSync(folder);
  output('cp', ['-r', join(packaging, 'kustomize'), join(folder, 'base')]);
  const own = {
    resources: ['base'],
    components: ['base/service-monitor'],
    images: [{ name: 'holdfast', newName: 'registry.example.com/holdfast', newTag: '0.1.0' }],
  };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(own));
  return documentsIn(output(program, program === 'kubectl' ? ['kustomize', folder] : ['build', folder]));
}

async function accepted(objects: readonly ClusterObject[]): Promise<void> {
  const answers = await tryObjects(
    { clock },
    [serviceMonitors, ...objects] as unknown as readonly Written[],
    namespace,
  );
  const refused = answers.flatMap((answer, index) =>
    answer.outcome === 'created' ? [] : [{ object: objects[index - 1]?.kind, answer }],
  );
  assert.deepEqual(refused, []);
}

const kubectl = (words: readonly string[], input?: string) =>
  spawnSync('kubectl', words, { encoding: 'utf8', input, maxBuffer: 64 * 1024 * 1024 });

/** An API server alone has nobody who takes the finalizer away; the namespace is empty, because all was a dry run. */
function removeNamespace(name: string): void {
  kubectl(['delete', 'namespace', name, '--wait=false']);
  const finalized = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } };
  kubectl(['replace', '--raw', `/api/v1/namespaces/${name}/finalize`, '-f', '-'], JSON.stringify(finalized));
}

/** Whether the API server of KUBECONFIG takes them in a dry run, strictly. */
function acceptedForReal(t: TestContext, objects: readonly ClusterObject[]): void {
  const wanted = new Set([namespace, ...objects.flatMap(({ metadata }) => metadata.namespace ?? [])]);
  for (const name of wanted)
    if (kubectl(['create', 'namespace', name]).status === 0) t.after(() => removeNamespace(name));
  if (kubectl(['create', '-f', '-'], JSON.stringify(serviceMonitors)).status === 0)
    t.after(() => kubectl(['delete', 'crd', serviceMonitors.metadata.name, '--wait=false']));
  output('kubectl', ['wait', '--for=condition=Established', '--timeout=30s', `crd/${serviceMonitors.metadata.name}`]);
  // A namespace of the objects is there by now, and is no new one.
  const list = { apiVersion: 'v1', kind: 'List', items: objects.filter(({ kind }) => kind !== 'Namespace') };
  const words = ['apply', '--server-side', '--dry-run=server', '--validate=strict', '-f', '-'];
  const told = output('kubectl', words, JSON.stringify(list));
  assert.equal(told.trim().split('\n').length, list.items.length, told);
}

function isReal(t: TestContext): boolean {
  if (process.env.KUBECONFIG !== undefined && kubectl(['get', '--raw', '/readyz']).status === 0) return true;
  t.diagnostic('NOT dry-run on a real API server: kubectl and KUBECONFIG of one are needed');
  return false;
}

for (const [name, values] of Object.entries(variants))
  test(`helm takes the chart with the values "${name}" without a complaint, and a cluster every object`, async (t) => {
    if (needsProgram(t, 'helm') === undefined) return;
    output('helm', ['lint', '--strict', chart, ...cluster, '--values', valuesIn(t, values)]);
    const objects = rendered(t, values);
    assert.ok(objects.length >= 3, `${objects.length} objects`);
    await accepted(objects);
    if (isReal(t)) acceptedForReal(t, objects);
  });

test('the chart does with its values what they say', (t) => {
  if (needsProgram(t, 'helm') === undefined) return;
  const objects = rendered(t, everything);
  const job = objects.find(({ kind }) => kind === 'CronJob');
  const [container] = job?.spec.jobTemplate.spec.template.spec.containers ?? [];
  assert.deepEqual(container.args.slice(2), [
    '--yes',
    '--scenario=scale-up',
    '--scenario=instance-kill',
    '--metrics=http://pushgateway.monitoring:9091',
    '--allow-terminate',
    '--cleanup',
  ]);
  assert.equal(container.image, 'registry.example.com/holdfast:1.2.3');
  assert.equal(job?.spec.suspend, false);
  assert.equal(job?.spec.jobTemplate.spec.template.spec.tolerations[0].key, 'CriticalAddonsOnly');
  assert.equal(objects.filter(({ kind }) => kind === 'ServiceMonitor').length, 1);
});

test('kustomize builds the base with its component, and a cluster takes every object', async (t) => {
  const program = needsProgram(t, 'kustomize', 'kubectl');
  if (program === undefined) return;
  const objects = built(t, program);
  t.diagnostic(`by ${program}: ${objects.length} objects`);
  assert.ok(objects.length >= 16, `${objects.length} objects`);
  await accepted(objects);
  if (isReal(t)) acceptedForReal(t, objects);
});
