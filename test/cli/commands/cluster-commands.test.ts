import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { exampleSettings } from '../../../src/cli/settings/example-settings.ts';
import { deploymentSchema } from '../../../src/deployment/settings/schema.ts';
import { defects } from '../../../src/rehearsal/defects.ts';
import { manifests } from '../../../src/validation/manifests/manifests.ts';
import { allScenarios } from '../../../src/validation/scenarios/index.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { inShell } from '../../support/cluster-commands.ts';

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

test('precheck exits 0 if a run may begin, and writes nothing', (t) =>
  inShell(t, async (shell) => {
    const methods = new Set<string>();
    shell.intercept = ({ method, url, body = '' }) => {
      // Questions that are POST by their API.
      const asks = ['selfsubjectaccessreviews', 'dryRun=All'].some((part) => url.includes(part));
      if (!asks && !body.startsWith('Action=Describe')) methods.add(method);
      return undefined;
    };
    const ended = await shell.holdfast('precheck');
    assert.equal(ended.exitCode, 0, ended.stdout);
    assert.match(
      oneLine(ended.stdout),
      /^ok Service ingress-nginx\/ingress-nginx-controller: type LoadBalancer, address \S+ \(expected: type LoadBalancer with /,
    );
    assert.match(ended.stdout, /\n\nA run may begin: all 14 checks that it needs are as they must be\.\n$/);
    assert.deepEqual([...methods], ['GET']);
    const { schemaVersion, findings, exitCode } = JSON.parse((await shell.holdfast('precheck', '--json')).stdout);
    assert.deepEqual([schemaVersion, exitCode], [1, 0]);
    assert.ok(findings.length >= 14);
  }));

test('precheck exits 3 if it would stop a run, with expected, observed and advice', (t) =>
  inShell(t, async (shell) => {
    const at = { namespace: 'ingress-nginx', name: 'ingress-nginx-controller' };
    await shell.cluster.patch('Service', at, { type: 'merge', value: { spec: { type: 'ClusterIP' } } });
    const ended = await shell.holdfast('precheck', '--no-color');
    assert.equal(ended.exitCode, 3);
    assert.match(
      ended.stdout,
      /error Service ingress-nginx\/ingress-nginx-controller\n {6}expected type LoadBalancer with .*\n {6}observed type ClusterIP, address\n {15}\S+\n {6}set the Service's type to LoadBalancer/,
    );
    assert.match(
      oneLine(ended.stdout),
      /A run would stop here: 1 of the 14 checks that it needs is not as it must be\. What to do stands with each error\. ?$/,
    );
  }));

test('audit of manifests needs no cluster: exit 1 if a requirement is not met, 0 if all that they show are met', (t) =>
  inShell(t, async (shell) => {
    const write = (name: string, profile: 'plain' | 'hardened') => {
      const path = join(shell.folder, name);
      const documents = manifests({ ...validationSchema.parse({}), manifests: profile });
      writeFileSync(path, documents.map((one) => JSON.stringify(one)).join('\n---\n'));
      return path;
    };
    shell.intercept = () => assert.fail('the cluster was asked');
    const plain = await shell.holdfast('audit', '-f', write('plain.yaml', 'plain'));
    assert.equal(plain.exitCode, 1);
    assert.match(
      plain.stdout,
      /error Deployment default\/nginx-test\n {6}expected a readiness probe on every container/,
    );
    const hardened = await shell.holdfast('audit', '--file', write('hardened.yaml', 'hardened'));
    assert.equal(hardened.exitCode, 0, hardened.stdout);
    assert.match(hardened.stdout, /observed not looked at/);
    const missing = await shell.holdfast('audit', '-f', join(shell.folder, 'none.yaml'));
    assert.deepEqual([missing.exitCode, missing.stdout], [2, '']);
    assert.match(missing.stderr, /^there is no file .*none\.yaml: name another with -f\.$/);
  }));

test('audit of the live cluster judges the running pods too', (t) =>
  inShell(t, async (shell) => {
    const absent = await shell.holdfast('audit');
    assert.equal(absent.exitCode, 2);
    assert.match(absent.stderr, /there is no Deployment default\/nginx-test/);
    await shell.holdfast('validate', '--scenario', 'single-replica', '--yes', '--out', join(shell.folder, 'run'));
    const good = await shell.holdfast('audit');
    assert.equal(good.exitCode, 0, good.stdout);
    const lines = oneLine(good.stdout);
    assert.match(
      lines,
      /ok Deployment default\/nginx-test: on ip-\S+, ip-\S+ \(expected: replicas on at least two nodes at this moment\)/,
    );
    const { findings } = JSON.parse((await shell.holdfast('audit', '--json')).stdout);
    for (const { severity, subject, observed, expected } of findings)
      assert.ok(
        severity !== 'info' || lines.includes(`ok ${subject}: ${observed} (expected: ${expected})`),
        `names ${expected}`,
      );
    const value = { spec: { template: { spec: { containers: [{ name: 'nginx', lifecycle: null }] } } } };
    await shell.cluster.patch('Deployment', { namespace: 'default', name: 'nginx-test' }, { type: 'strategic', value });
    const bad = await shell.holdfast('audit', '--json');
    assert.equal(bad.exitCode, 1);
    const errors = JSON.parse(bad.stdout).findings.filter(({ severity }: { severity: string }) => severity === 'error');
    assert.deepEqual(
      errors.map(({ id }: { id: string }) => id),
      ['graceful-termination'],
    );
  }));

test('audit of several applications looks at each, says whose a finding is, and names every one that is not there', (t) =>
  inShell(t, async (shell) => {
    const config = join(shell.folder, 'several.yaml');
    const further = (application: string) => ({ application, url: `http://${application}.example.com/` });
    const write = (...names: readonly string[]) =>
      writeFileSync(config, JSON.stringify({ validation: { applications: names.map(further) } }));
    write('forum', 'wiki');
    const absent = await shell.holdfast('audit', '--config', config);
    assert.equal(absent.exitCode, 2);
    for (const [key, name] of [
      ['validation', 'nginx-test'],
      ['validation.applications.1', 'wiki'],
    ])
      assert.ok(
        oneLine(absent.stderr).includes(`no Deployment default/${name}: set ${key}.application`),
        absent.stderr,
      );
    write('forum');
    const words = ['--config', config, '--scenario', 'single-replica', '--yes', '--out', join(shell.folder, 'run')];
    await shell.holdfast('validate', ...words);
    const place = { namespace: 'default', name: 'forum' };
    const value = { spec: { template: { spec: { containers: [{ name: 'nginx', lifecycle: null }] } } } };
    await shell.cluster.patch('Deployment', place, { type: 'strategic', value });
    await shell.cluster.delete('Ingress', place);
    const ended = await shell.holdfast('audit', '--config', config, '--json');
    assert.equal(ended.exitCode, 1, ended.stderr);
    const { findings } = JSON.parse(ended.stdout) as { findings: { id: string; severity: string; subject: string }[] };
    const of = (wanted: string) =>
      findings.filter(({ id }) => id === wanted).map(({ severity, subject }) => `${severity} ${subject}`);
    assert.deepEqual(of('graceful-termination'), [
      'info Deployment default/nginx-test',
      'error Deployment default/forum',
    ]);
    assert.deepEqual(of('ingress-annotations'), [
      'warning Ingress default/nginx-test',
      'warning Deployment/forum: Ingress',
    ]);
    assert.equal(of('ingress-replicas').length, 1, 'of the controller before both');
  }));

test('rbac prints roles that kubectl accepts, and --check lists missing permissions, those of an undo first', (t) =>
  inShell(t, async (shell) => {
    const printed = await shell.holdfast('rbac', '--scenario', 'node-drain', 'dns-failure', '--namespace', 'web');
    assert.equal(printed.exitCode, 0, printed.stderr);
    const roles = parseAllDocuments(printed.stdout).map((document) => document.toJS());
    const [clusterRole, ...others] = roles;
    assert.equal(clusterRole.kind, 'ClusterRole');
    assert.ok(
      clusterRole.rules.some(
        ({ resources, verbs }: { resources: string[]; verbs: string[] }) =>
          resources.includes('pods/eviction') && verbs.includes('create'),
      ),
    );
    const reads = clusterRole.rules.find(({ resources }: { resources: string[] }) => resources.includes('namespaces'));
    assert.deepEqual(reads?.verbs, ['get'], 'recover knows the cluster again');
    assert.deepEqual(
      others.map(({ metadata }: { metadata: { namespace: string } }) => metadata.namespace),
      ['external-dns', 'ingress-nginx', 'kube-system', 'web'],
    );
    assert.match(printed.stdout, /# The cloud has to allow as well:\n# {3}route53:/);
    assert.equal((await shell.holdfast('rbac', '--check')).exitCode, 0);
    shell.refuses = ({ verb }) => verb === 'patch' || verb === 'watch';
    const missing = await shell.holdfast('rbac', '--check', '--scenario', 'scale-up');
    assert.equal(missing.exitCode, 1);
    assert.match(missing.stdout, /^missing {2}patch deployments\.apps in namespace default \(scale-up, to undo\)\n/);
  }));

test('every scenario, criterion and defect is explained', (t) =>
  inShell(t, async (shell) => {
    for (const { name, title } of allScenarios) {
      const { stdout } = await shell.holdfast('explain', name);
      assert.ok(stdout.startsWith(`${title}\nExpected: `), name);
      assert.match(stdout, /How it fails in practice:\n- [\s\S]*What is measured:\n- /, name);
    }
    for (const number of ['1', '2', '3', '4', '5', '6']) {
      const { stdout } = await shell.holdfast('explain', number);
      assert.match(stdout, new RegExp(`^Criterion ${number}\n[\\s\\S]*Decided by [\\s\\S]*What is measured`));
    }
    for (const [name, { what }] of Object.entries(defects)) {
      const { stdout } = await shell.holdfast('explain', name);
      assert.ok(
        stdout.replaceAll('\n', ' ').includes(what) && stdout.includes(`holdfast rehearse --defect ${name}`),
        name,
      );
    }
    const all = await shell.holdfast('explain');
    assert.equal(
      all.stdout.split('\n').filter((line) => /^ {2}\S/.test(line)).length,
      6 + allScenarios.length + Object.keys(defects).length,
    );
    const unknown = await shell.holdfast('explain', 'node-drian');
    assert.deepEqual([unknown.exitCode, unknown.stderr], [2, 'there is no topic node-drian; did you mean node-drain?']);
  }));

/** Every key of a schema, with those of what is inside it. */
function keysOf(schema: z.ZodType, place = ''): readonly string[] {
  const inner = (schema as { def?: { innerType?: z.ZodType } }).def?.innerType;
  if (inner !== undefined) return keysOf(inner, place);
  if (!(schema instanceof z.ZodObject)) return [place];
  return Object.entries(schema.shape).flatMap(([key, member]) => keysOf(member as z.ZodType, `${place}.${key}`));
}

const at = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>((inside, key) => (inside as Record<string, unknown> | undefined)?.[key], value);

test('init writes settings that the parser accepts: every key of validation with its default', (t) =>
  inShell(t, async (shell) => {
    const path = join(shell.folder, 'holdfast.yaml');
    assert.equal((await shell.holdfast('init', '--config', path)).exitCode, 0);
    const text = readFileSync(path, 'utf8');
    assert.equal(text, exampleSettings);
    const { validation } = parse(text);
    assert.deepEqual(validationSchema.parse(validation), validationSchema.parse({}));
    const commented =
      /^( {2}| {4})# (?=applicationSelector|applications|edges|requirements|service|ingress|httpRoute|rehearse|rfc2136|selector|headers|request|resolve|cacert|insecure|ipv|proxy|location|maxRedirs|bodyContains|compressed|head|data|http2|cert|key:|unixSocket|controlPlane|vantage|probes|rate|generator|workers|worker| )/gm;
    const optional = parse(text.replaceAll(commented, '$1')).validation;
    const missing = keysOf(validationSchema).filter((key) => at(optional, key) === undefined);
    assert.deepEqual(missing, []);
    const again = await shell.holdfast('init', '--config', path);
    assert.equal(again.exitCode, 2);
    assert.match(again.stderr, /already exists: overwrite it with --force/);
    assert.equal((await shell.holdfast('init', '--config', path, '--force')).exitCode, 0);
  }));

test('the deployment settings that init writes are valid without their comment signs', () => {
  const half = exampleSettings.slice(exampleSettings.indexOf('# deployment:'));
  const { deployment } = parse(half.replaceAll(/^# /gm, '').replaceAll(/\$\{\w+\}/g, 'https://hooks.example.com/x'));
  const read = deploymentSchema.safeParse(deployment);
  assert.ok(read.success, JSON.stringify(read.error?.issues));
});

test('each key of the written settings names its flag, or says that it has none', () => {
  const lines = exampleSettings.split('\n').filter((line) => /^\s+[a-zA-Z]+:/.test(line) && !line.startsWith('    '));
  for (const line of lines) assert.match(line, /--\w|no flags?/, line);
});
