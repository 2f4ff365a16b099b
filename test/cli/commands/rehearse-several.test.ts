import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Resource } from '../../../src/cluster/kinds.ts';
import type { Deployment } from '../../../src/cluster/resources.ts';
import { assertMistakes, holdfast } from '../../support/command-line.ts';
import { deployment, ingress, service, strong } from '../../support/own-manifests.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const documents = (all: readonly object[]): string => all.map((one) => JSON.stringify(one, null, 1)).join('\n---\n');

const toApi = {
  http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'api', port: { number: 80 } } } }] },
};
const second = { ...ingress({ rules: [toApi] }), metadata: { name: 'second' } };
const both = (): readonly Resource[] => [...strong(), deployment('api', 'api'), service('api', 'api'), second];

function folderWith(t: TestContext, manifests: readonly object[], rehearse: object): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'web.yaml'), documents(manifests));
  writeFileSync(join(folder, 'holdfast.yaml'), JSON.stringify({ validation: { rehearse } }));
  return folder;
}

function rehearsed(folder: string, ...words: readonly string[]) {
  const ran = holdfast(folder, ['rehearse', '-f', 'web.yaml', '--out', 'run', '--quiet', ...words]);
  assert.ok(ran.status === 0 || ran.status === 1, ran.stderr);
  return JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
}

interface Scenario {
  readonly name: string;
  readonly targets: readonly { readonly application: string; readonly downtime: { readonly seconds: number } }[];
}
const downtimes = ({ scenarios }: { readonly scenarios: readonly Scenario[] }, name: string) =>
  Object.fromEntries(
    (scenarios.find((one) => one.name === name)?.targets ?? []).map((one) => [one.application, one.downtime.seconds]),
  );

test('rehearse.applications says of one workload alone how long it takes to start', (t) => {
  const measured = (rehearse: object) => {
    const report = rehearsed(folderWith(t, both(), rehearse), '--scenario', 'single-replica', '--no-assumptions');
    return downtimes(report, 'single-replica');
  };
  const [alike, slower] = [measured({}), measured({ applications: { 'Deployment/api': { start: '35s' } } })];
  const more = (name: string) => Number(slower[name]) - Number(alike[name]);
  assert.ok(more('Deployment/api') >= 25, JSON.stringify([alike, slower]));
  assert.ok(more('Deployment/shop-web') < 5, JSON.stringify([alike, slower]));
});

test('a workload that the manifests do not have, and a key that is none, are mistakes with the one that was meant', (t) => {
  const mistake = (applications: object) =>
    holdfast(folderWith(t, both(), { applications }), ['rehearse', '-f', 'web.yaml']);
  assertMistakes(
    mistake({ 'Deployment/apii': { start: '1s' }, 'Pod/x': {} }),
    /^holdfast: validation\.rehearse\.applications\.Deployment\/apii is no workload of these manifests; did you mean Deployment\/api\?$/,
    /^holdfast: validation\.rehearse\.applications\.Pod\/x is no workload of these manifests; known are Deployment\/shop-web, Deployment\/api\.$/,
  );
  assertMistakes(
    mistake({ 'Deployment/api': { stopp: '1s' } }),
    /^holdfast: validation\.rehearse\.applications\.Deployment\/api\.stopp is not a known setting; did you mean stop\?$/,
  );
});

test('applications of one kind and name in two namespaces are told apart, and chosen with the namespace', (t) => {
  const namespaced = ['live', 'staging'].flatMap((namespace) => {
    const host = `${namespace}.example.com`;
    return strong().map((one) => {
      const placed = { ...one, metadata: { ...one.metadata, namespace } };
      if (one.kind !== 'Ingress') return placed;
      const [rule] = (one as unknown as { readonly spec: { readonly rules: readonly object[] } }).spec.rules;
      return { ...placed, spec: { ingressClassName: 'nginx', rules: [{ ...rule, host }] } };
    });
  });
  const folder = folderWith(t, namespaced, {});
  const report = rehearsed(folder, '--scenario', 'single-replica', '--no-assumptions');
  assert.deepEqual(Object.keys(downtimes(report, 'single-replica')), [
    'Deployment/live/shop-web',
    'Deployment/staging/shop-web',
  ]);
  const words = ['--application', 'deploy/staging/shop-web', '--scenario', 'single-replica', '--no-assumptions'];
  const chosen = holdfast(folder, ['rehearse', '-f', 'web.yaml', '--quiet', '--json', ...words]);
  assert.deepEqual(
    JSON.parse(chosen.stdout).applications.map((one: { namespace: string }) => one.namespace),
    ['staging'],
  );
});

test('how an application ends on SIGTERM holds for an image that is known as nginx’ too', (t) => {
  const [web, ...rest] = strong() as readonly [Deployment, ...Resource[]];
  const { template } = web.spec;
  const containers = template.spec.containers.map((one) => ({ ...one, image: 'nginx:1.29' }));
  const nginx = { ...web, spec: { ...web.spec, template: { ...template, spec: { ...template.spec, containers } } } };
  const verdict = (application: object) =>
    rehearsed(folderWith(t, [nginx, ...rest], { application }), '--scenario', 'scale-down', '--no-assumptions').verdict;
  assert.deepEqual([{ stop: '1s' }, { stop: '25s' }, { sigterm: false }].map(verdict), ['pass', 'fail', 'fail']);
});

test('--against compares each of several applications; the worst decides, and one that is new is named', (t) => {
  const folder = folderWith(t, both(), {});
  const api = [deployment('api', 'api'), service('api', 'api'), second];
  writeFileSync(join(folder, 'new.yaml'), documents([...strong('hasty'), ...api]));
  const compared = (...words: readonly string[]) => {
    const flags = ['--fail-on', 'worse', '--scenario', 'scale-down', '--no-assumptions', '--quiet', '--seed', '2'];
    return holdfast(folder, ['rehearse', '-f', 'new.yaml', ...flags, ...words]);
  };
  const worse = compared('--against', 'web.yaml', '--summary', 'summary.md', '--out', 'run');
  assert.equal(worse.status, 1, worse.stderr);
  assert.match(worse.stdout, /^Deployment\/shop-web\nScenario .*\n.*Scale down +pass, 0\.0 s +fail, .* worse\n/ms);
  assert.match(worse.stdout, /^Deployment\/api\nScenario .*\n.*Scale down .* same\n/ms);
  assert.match(worse.stdout, /This change makes it worse, beside web\.yaml, 3 seeds each\./);
  assert.match(readFileSync(join(folder, 'summary.md'), 'utf8'), /^### Deployment\/shop-web$/m);
  const { against } = JSON.parse(readFileSync(join(folder, 'run', 'report.json'), 'utf8'));
  const changes = against.applications.map(
    (one: { application: string; change: string }) => `${one.application} ${one.change}`,
  );
  assert.deepEqual([against.change, ...changes], ['worse', 'Deployment/shop-web worse', 'Deployment/api same']);
  writeFileSync(join(folder, 'old.yaml'), documents(strong('hasty')));
  const grown = compared('--against', 'old.yaml');
  assert.equal(grown.status, 0, grown.stderr);
  assert.match(
    grown.stdout.replaceAll(/\s+/g, ' '),
    /This change changes nothing beyond the bounds, beside old\.yaml, 3 seeds each; Deployment\/api is new\./,
  );
});
