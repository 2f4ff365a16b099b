import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { manifestMistakes, readManifests } from '../../../src/cli/manifests/read-manifests.ts';
import type { Resource } from '../../../src/cluster/kinds.ts';
import { UsageError } from '../../../src/host/errors.ts';
import { audit } from '../../../src/validation/audit/audit.ts';
import { manifestsAudited } from '../../../src/validation/audit/manifests-audited.ts';
import { container, hardened, ip, settings, slowChecks, withArgument } from '../../support/audited.ts';
import { inShell } from '../../support/cluster-commands.ts';

const read = (files: Readonly<Record<string, string>>): Promise<readonly Resource[]> =>
  readManifests({ read: async (path) => files[path] }, Object.keys(files));

async function mistakesOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const error = await read(files).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return [];
  assert.ok(error instanceof UsageError, String(error));
  return error.mistakes;
}
const mistakesIn = (text: string): Promise<readonly string[]> => mistakesOf({ 'web.yaml': text });

const containersOf = (text: string): string =>
  `{kind: Deployment, metadata: {name: web}, spec: {template: {spec: {containers: ${text}}}}}`;

test('manifests that lack members are exit 2, with all mistakes of all files at once', (t) =>
  inShell(t, async (shell) => {
    const [web, more] = [join(shell.folder, 'web.yaml'), join(shell.folder, 'more.yaml')];
    writeFileSync(web, 'kind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {}}}\n---\nkind: Service\n');
    writeFileSync(more, '{kind: List, items: [{kind: Ingress, metadata: {name: 4}}, {metadata: {name: lost}}]}');
    const ended = await shell.holdfast('audit', '-f', web, more);
    assert.deepEqual([ended.exitCode, ended.stdout], [2, '']);
    assert.deepEqual(ended.stderr.replaceAll(`${shell.folder}/`, '').split('\n'), [
      'web.yaml: Deployment web: spec.template.spec.containers is missing.',
      'web.yaml: Service: metadata is missing.',
      'web.yaml: Service: spec is missing.',
      'more.yaml: Ingress: metadata.name is a number; it must be text.',
      'more.yaml: lost: kind is missing.',
    ]);
  }));

test('a member of another type is named by its path, with what it must be', async () => {
  const said = async (text: string) => (await mistakesIn(text)).map((one) => one.replace('web.yaml: ', ''));
  assert.deepEqual(await said('{kind: Deployment, metadata: {name: web}, spec: 4}'), [
    'Deployment web: spec is a number; it must be an object.',
  ]);
  assert.deepEqual(await said(containersOf('[{}, {name: a, image: b:1, resources: 3}]')), [
    'Deployment web: spec.template.spec.containers[0].name is missing.',
    'Deployment web: spec.template.spec.containers[0].image is missing.',
    'Deployment web: spec.template.spec.containers[1].resources is a number; it must be an object.',
  ]);
  assert.deepEqual(await said(containersOf('[]')), [
    'Deployment web: spec.template.spec.containers is a list; it must be a list of one container or more.',
  ]);
  const interval = 'service.beta.kubernetes.io/aws-load-balancer-healthcheck-interval';
  assert.deepEqual(
    await said(`{kind: Service, metadata: {name: web, annotations: {${interval}: 10}}, spec: {type: Loud}}`),
    [
      `Service web: metadata.annotations[${interval}] is a number; it must be text.`,
      'Service web: spec.type is "Loud"; it must be one of ClusterIP, NodePort, LoadBalancer, ExternalName.',
    ],
  );
  const budget = '{kind: PodDisruptionBudget, metadata: {name: web}, spec: {minAvailable: half, maxUnavailable: -1}}';
  assert.deepEqual(await said(budget), [
    'PodDisruptionBudget web: spec.minAvailable is "half"; it must be a whole number or a percentage such as 25%.',
    'PodDisruptionBudget web: spec.maxUnavailable is -1; it must be 0 or more.',
  ]);
});

test('a mistake of any member says in our words what it must be', async () => {
  const labels = { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] };
  const budget = {
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector: labels },
  };
  const scaler = { scaleTargetRef: { kind: 'Deployment', name: 'web' }, minReplicas: 2 };
  const affinity = {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a' }] }] },
    },
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }] },
  };
  const spread = [{ topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' }];
  const lifecycle = { preStop: { sleep: { seconds: 5 }, exec: { command: ['sleep', '5'] } } };
  const resources = { requests: { cpu: '1', memory: 1 } };
  const one = { name: 'a', image: 'b:1', ports: [{}], args: ['c'], readinessProbe: {}, resources, lifecycle };
  const pod = {
    containers: [one],
    terminationGracePeriodSeconds: 1,
    nodeSelector: {},
    affinity,
    topologySpreadConstraints: spread,
  };
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%' } };
  const template = { metadata: { labels: { app: 'web' } }, spec: pod };
  const whole = [
    { kind: 'Deployment', metadata: { name: 'web', namespace: 'default' }, spec: { replicas: 2, strategy, template } },
    {
      kind: 'Service',
      metadata: { name: 'web', annotations: { a: 'b' } },
      spec: { type: 'ClusterIP', externalTrafficPolicy: 'Local' },
    },
    budget,
    { kind: 'HorizontalPodAutoscaler', metadata: { name: 'web' }, spec: scaler },
    { kind: 'List', items: [] },
  ];
  for (const manifest of whole) {
    assert.deepEqual(manifestMistakes('web.yaml', manifest), [], manifest.kind);
    for (const wrong of othersOf(manifest))
      for (const mistake of manifestMistakes('web.yaml', wrong))
        assert.doesNotMatch(mistake, /invalid|expected|received/i, JSON.stringify(wrong));
  }
  assert.deepEqual(manifestMistakes('web.yaml', { ...budget, spec: { selector: { matchExpressions: 'all' } } }), [
    'web.yaml: PodDisruptionBudget web: spec.selector.matchExpressions is text; it must be a list.',
  ]);
});

/** The value with each of its members in turn, at any depth, replaced by values of other types. */
function othersOf(value: unknown): readonly unknown[] {
  const strange: readonly unknown[] = ['strange', 1.5, true, null, [], {}, [null]];
  if (typeof value !== 'object' || value === null) return strange;
  const inside = Object.entries(value)
    .filter(([key]) => key !== 'kind')
    .flatMap(([key, member]) =>
      othersOf(member).map((other) => (Array.isArray(value) ? [other] : { ...value, [key]: other })),
    );
  return [...strange, ...inside];
}

test('arguments and commands are not repeated in a mistake: they may hold a secret', async () => {
  const preStop = 'lifecycle: {preStop: {exec: {command: token-of-mine}}}';
  const said = await mistakesIn(containersOf(`[{name: a, image: b:1, args: token-of-mine, ${preStop}}]`));
  assert.equal(said.length, 2);
  assert.doesNotMatch(said.join(), /token-of-mine/);
});

test('a document that is not an object, an unresolved alias and a circular alias are mistakes', async () => {
  assert.deepEqual(await mistakesIn('hello'), ['web.yaml: a document is text; it must be an object.']);
  assert.match(
    (await mistakesIn('a: b\nkind: *x')).join(),
    /^web\.yaml:2: no anchor &x stands before \*x in this document: .*\.$/,
  );
  assert.deepEqual(await mistakesIn('kind: List\nitems: &all\n  - {kind: List, items: *all}\n'), [
    'web.yaml:3: *all stands within its own anchor: write the value itself.',
  ]);
});

test('as many aliases are taken as rehearse -f takes', async () => {
  const labels = Array.from({ length: 200 }, () => '*l');
  assert.deepEqual(await mistakesIn(`kind: X\nmetadata: &l {name: web}\nall: [${labels.join()}]\n`), []);
});

test('what the API server accepts passes: null for absent, merged anchors, unknown members, other kinds, no document', async () => {
  const web = containersOf('[{<<: {image: b:1}, name: a, resources: null, ports: , new: 1, args: [x]}]');
  assert.deepEqual(await mistakesIn(`# none\n---\n${web}\n---\n{kind: Kustomization, spec: 4}\n---\n`), []);
  assert.deepEqual(await mistakesIn(''), []);
});

/** Manifests that set every member that an audit reads. */
const wellFormed: readonly unknown[] = JSON.parse(JSON.stringify(complete()));
function complete(): readonly unknown[] {
  const { workload: deployment } = container({
    args: ['--quiet'],
    lifecycle: { preStop: { exec: { command: ['sleep', '15'] } } },
  }).application;
  const { template } = deployment.spec;
  const term = { matchExpressions: [{ key: 'role', operator: 'In', values: ['web'] }] };
  const affinity = {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'kubernetes.io/hostname' }] },
  };
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%' } };
  const mine = { ...template, spec: { ...template.spec, affinity, terminationGracePeriodSeconds: 60 } };
  const annotations = {
    ...ip,
    ...slowChecks,
    'service.beta.kubernetes.io/aws-load-balancer-target-group-attributes': 'deregistration_delay.timeout_seconds=30',
  };
  return [
    ...hardened.map((one) => {
      if (one.kind === 'Service') return { ...one, metadata: { ...one.metadata, annotations } };
      if (one.kind !== 'Deployment') return one;
      if (one.metadata.namespace === 'ingress-nginx') return withArgument('--shutdown-grace-period=30')(one);
      return { ...one, spec: { ...one.spec, strategy, template: mine } };
    }),
    {
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'nginx-test', namespace: 'default' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'nginx-test' }, minReplicas: 2, maxReplicas: 5 },
    },
  ];
}

type Path = readonly string[];
const pathsIn = (value: unknown, at: Path = []): readonly Path[] =>
  Object.entries(typeof value === 'object' && value !== null ? value : {}).flatMap(([key, member]) => [
    [...at, key],
    ...pathsIn(member, [...at, key]),
  ]);

/** A copy with another value there, or nothing; a path that leads nowhere any more changes nothing. */
function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value;
  const member = replaced((value as Record<string, unknown>)[key], rest, by);
  if (Array.isArray(value))
    return value.flatMap((one, n) => (`${n}` === key ? (member === undefined ? [] : [member]) : [one]));
  return { ...value, [key]: member };
}

const change = fc.record({
  path: fc.constantFrom(...pathsIn(wellFormed)),
  by: fc.oneof(fc.constantFrom(undefined, null, 'text', '', true), fc.constant([]), fc.constant({}), fc.double()),
});

test('with any one or two members replaced or removed, an audit ends with findings or with mistakes', async () => {
  assert.deepEqual(await mistakesOf({ 'web.json': JSON.stringify(wellFormed[0]) }), []);
  const ends = { findings: 0, mistakes: 0 };
  const ended = fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), async (changes) => {
    const items = changes.reduce<unknown>((at, { path, by }) => replaced(at, path, by), wellFormed) as unknown[];
    try {
      const resources = await read({ 'web.json': JSON.stringify({ kind: 'List', items }) });
      const findings = manifestsAudited(resources, settings).flatMap((one) => audit(one).findings);
      assert.doesNotMatch(JSON.stringify(findings), /undefined|NaN|Infinity|\[object/);
      ends.findings += 1;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      assert.doesNotMatch(error.message, /undefined|NaN|\[object/);
      ends.mistakes += 1;
    }
  });
  await fc.assert(ended, { numRuns: 300 });
  assert.ok(ends.findings > 0 && ends.mistakes > 0, JSON.stringify(ends));
});
