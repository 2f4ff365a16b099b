import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Resource } from '../../../src/cluster/kinds.ts';
import type { Deployment } from '../../../src/cluster/resources.ts';
import { assertMistakes, holdfast } from '../../support/command-line.ts';
import { strongAs } from '../../support/own-manifests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** An application whose replicas are both on one node where it has room, and of which no budget keeps one. */
function careless(name: string): readonly Resource[] {
  const [web, ...others] = strongAs(name) as readonly [Deployment, ...Resource[]];
  const { topologySpreadConstraints: _, ...pods } = web.spec.template.spec;
  const podAffinityTerm = { labelSelector: web.spec.selector, topologyKey: 'kubernetes.io/hostname' };
  const preferred = { weight: 100, podAffinityTerm };
  const affinity = { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [preferred] } };
  const template = { ...web.spec.template, spec: { ...pods, affinity } };
  return [
    { ...web, spec: { ...web.spec, template } } as Resource,
    ...others.filter(({ kind }) => kind !== 'PodDisruptionBudget'),
  ];
}

/** An application whose pods are never on a node with pods of the other one. */
function apartFrom(other: string, name: string): readonly Resource[] {
  const [web, ...others] = strongAs(name) as readonly [Deployment, ...Resource[]];
  const labelSelector = { matchLabels: { 'app.kubernetes.io/name': other } };
  const term = { labelSelector, topologyKey: 'kubernetes.io/hostname' };
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  const template = { ...web.spec.template, spec: { ...web.spec.template.spec, affinity } };
  return [{ ...web, spec: { ...web.spec, template } } as Resource, ...others];
}

function rehearsed(t: TestContext, manifests: readonly object[], ...words: readonly string[]) {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'web.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }));
  const ran = holdfast(folder, ['rehearse', '-f', 'web.json', '--together', '--out', 'run', '--quiet', ...words]);
  const read = (file: string): string => readFileSync(join(folder, 'run', file), 'utf8');
  const facts = read('journal.jsonl')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  return { ran, read, report: JSON.parse(read('report.json')), facts };
}

interface Criterion {
  readonly number: number;
  readonly outcome: string;
  readonly because: string;
}
interface Application {
  readonly name: string;
  readonly verdict: string;
  readonly criteria: readonly Criterion[];
  readonly scenarios: readonly { readonly name: string; readonly verdict: string }[];
}

test('of two applications in one run exactly the rows and criteria of the one with the defect fail', (t) => {
  const scenarios = ['--scenario', 'scale-down', 'node-drain'];
  const { ran, read, report, facts } = rehearsed(t, [...strongAs('shop'), ...careless('forum')], ...scenarios);
  assert.equal(ran.status, 1, ran.stderr);
  const [shop, forum] = report.applications as readonly [Application, Application];
  const rowsOf = ({ scenarios }: Application) =>
    scenarios.filter(({ verdict }) => verdict !== 'not-tested').map(({ name, verdict }) => `${name} ${verdict}`);
  assert.deepEqual([shop.verdict, forum.verdict, report.verdict], ['pass', 'fail', 'fail']);
  assert.deepEqual(rowsOf(shop), ['scale-down pass', 'node-drain pass']);
  assert.deepEqual(rowsOf(forum), ['scale-down pass', 'node-drain fail']);
  const outcome = ({ criteria }: Pick<Application, 'criteria'>, number: number) =>
    criteria.find((one) => one.number === number);
  assert.deepEqual([outcome(shop, 2)?.outcome, outcome(forum, 2)?.outcome], ['met', 'not-met']);
  assert.match(outcome(report, 2)?.because ?? '', /^Deployment\/forum-web: node-drain: /);
  const scaled = facts.filter(({ type, action }) => type === 'action-intended' && action === 'scale');
  assert.deepEqual([...new Set(scaled.flatMap(({ of }) => of))], ['Deployment/shop-web', 'Deployment/forum-web']);
  for (const file of ['report.md', 'report.html', 'junit.xml'])
    for (const name of ['Deployment/shop-web', 'Deployment/forum-web']) assert.ok(read(file).includes(name), file);
  const header = read('downtime.log').split('\n')[0] ?? '';
  for (const name of ['shop', 'forum']) assert.ok(header.includes(`target=http://${name}.example.com/`), header);
  assert.ok(report.undo.every(({ state }: { state: string }) => state !== 'failed'));
});

test('what applications share is disturbed once, and judged for each of them', (t) => {
  const scenarios = ['--scenario', 'node-drain', 'ingress-controller-failure'];
  const { ran, report, facts } = rehearsed(t, ['shop', 'forum', 'intranet'].flatMap(strongAs), ...scenarios);
  assert.equal(ran.status, 0, ran.stdout + ran.stderr);
  const done = (action: string) => facts.filter((fact) => fact.type === 'action-intended' && fact.action === action);
  assert.equal(done('delete-pod').length, 1);
  // Each application has a pod on each of the two nodes of the pool.
  assert.equal(done('drain-node').length, 1);
  for (const { name, targets } of report.scenarios)
    if (scenarios.includes(name))
      assert.deepEqual(
        targets.map(({ application, downtime }: { application: string; downtime: object | null }) => [
          application,
          downtime !== null,
        ]),
        ['shop-web', 'forum-web', 'intranet-web'].map((one) => [`Deployment/${one}`, true]),
      );
});

test('a node without a pod of an application is drained for the others, and another one for it', (t) => {
  const { ran, report, facts } = rehearsed(
    t,
    [...strongAs('shop'), ...apartFrom('shop', 'forum')],
    '--scenario',
    'node-drain',
  );
  assert.equal(ran.status, 0, ran.stdout + ran.stderr);
  const ofType = (type: string) => facts.filter((fact) => fact.type === type);
  const drained = ofType('action-intended').filter(({ action }) => action === 'drain-node');
  assert.deepEqual(
    drained.map(({ of }) => of.length),
    [1, 1],
  );
  assert.notEqual(drained[0].node ?? drained[0].subject, drained[1].node ?? drained[1].subject);
  assert.deepEqual(
    ofType('scenario-passed-over').map(({ of }) => of),
    [drained[1].of],
  );
  assert.deepEqual(
    report.applications.map(({ verdict }: Application) => verdict),
    ['pass', 'pass'],
  );
});

test('probe pods ask the addresses of all applications, and each application is judged by its own', (t) => {
  const both = [...strongAs('shop'), ...careless('forum')];
  const { ran, read, report } = rehearsed(t, both, '--scenario', 'node-drain', '--vantage', 'in-cluster');
  assert.equal(ran.status, 1, ran.stdout + ran.stderr);
  assert.equal(report.vantages.length, 4, 'this machine and three zones');
  for (const { log } of report.vantages) {
    const [header = '', ...lines] = read(log).split('\n');
    for (const name of ['shop', 'forum']) {
      const target = `target=http://${name}.example.com/`;
      assert.ok(header.includes(target), header);
      assert.ok(
        lines.some((line) => line.endsWith(target)),
        `${log}: ${name}`,
      );
    }
  }
  assert.deepEqual(
    report.applications.map(({ verdict }: Application) => verdict),
    ['pass', 'fail'],
  );
});

test('--together is of several applications of -f, each by itself with --against', (t) => {
  const folder = temporaryFolder(t);
  assertMistakes(
    holdfast(folder, ['rehearse', '--together']),
    /^holdfast: --together is of the applications of -f: add -f\.$/,
  );
});
