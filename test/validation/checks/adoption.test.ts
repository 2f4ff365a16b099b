import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../../../src/cluster/kinds.ts';
import { adoption } from '../../../src/validation/checks/adoption.ts';
import type { CheckedRun } from '../../../src/validation/checks/check.ts';
import { runCheck } from '../../../src/validation/checks/check.ts';
import { adoptionOf } from '../../../src/validation/manifests/adoption.ts';
import { manifests } from '../../../src/validation/manifests/manifests.ts';
import { type Settings, validationSchema } from '../../../src/validation/settings.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';

const settings = validationSchema.parse({});
const plain: Settings = { ...settings, manifests: 'plain' };
const [pool, deployment] = manifests(settings) as readonly [Resource, Resource];

const look = (at: ApiSite, over: Settings = settings) => {
  const run: CheckedRun = { site: at.site, settings: over, scenarios: [], cleanup: false, holder: 'x' };
  return runCheck(adoption, run);
};
const apply = async (at: ApiSite, over: Settings = settings, fieldManager = 'holdfast') => {
  for (const resource of manifests(over)) await at.cluster.apply(resource, { fieldManager });
};
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

test('on an empty cluster every object is new, and the check writes nothing', () =>
  apiSite(async (at) => {
    const finding = await look(at);
    assert.equal(finding.severity, 'info', finding.observed);
    assert.equal(finding.observed, 'NodePool new, Deployment new, Service new, Ingress new, PodDisruptionBudget new');
    for (const kind of ['NodePool', 'Deployment', 'Service', 'Ingress', 'PodDisruptionBudget'] as const)
      assert.deepEqual(await at.cluster.list(kind), []);
  }));

test('an object that an earlier run applied is unchanged, or changed to the other profile', () =>
  apiSite(async (at) => {
    await apply(at, plain);
    assert.match((await look(at, plain)).observed, /NodePool unchanged, Deployment unchanged/);
    const finding = await look(at, settings);
    assert.equal(finding.severity, 'info');
    assert.match(finding.observed, /NodePool unchanged, Deployment changed, Service unchanged/);
  }));

test('an equal object of somebody else is adopted, and its last-applied annotation stays to the byte', () =>
  apiSite(async (at) => {
    const annotation = JSON.stringify({ kind: 'NodePool', spec: 'as somebody wrote it' });
    const { metadata } = pool;
    await at.cluster.create({
      ...pool,
      metadata: { ...metadata, annotations: { [lastApplied]: annotation } },
    } as Resource);
    const finding = await look(at);
    assert.equal(finding.severity, 'info', finding.observed);
    assert.match(finding.observed, /NodePool unchanged/);
    await apply(at);
    const after = await at.cluster.get('NodePool', { name: metadata.name });
    assert.equal(after?.metadata.annotations?.[lastApplied], annotation);
  }));

test('an object with a different field of another manager is refused, with the manager and the field', () =>
  apiSite(async (at) => {
    const spec = { ...(deployment as { spec: object }).spec, replicas: 3 };
    await at.cluster.apply({ ...deployment, spec } as Resource, { fieldManager: 'argocd-controller' });
    const finding = await look(at);
    assert.equal(finding.severity, 'error');
    assert.match(
      finding.observed,
      /^Deployment default\/nginx-test: conflict with "argocd-controller"[^;]*: \.spec\.replicas/,
    );
    assert.match(finding.advice, /nothing is ever forced/);
  }));

test('an application of somebody else with the same name is refused', () =>
  apiSite(async (at) => {
    const container = { name: 'shop', image: 'shop:1' };
    const labels = { app: 'nginx-test' };
    await at.cluster.create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: 'default', name: 'nginx-test' },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [container] } },
      },
    });
    const finding = await look(at, plain);
    assert.equal(finding.severity, 'error');
    assert.match(
      finding.observed,
      /Deployment default\/nginx-test: it belongs to test, and applying would change .*\/spec\/template\/spec\/containers/,
    );
    assert.match(finding.advice, /manifests: none/);
  }));

test('replicas that a killed run left are refused, with the advice to recover', () =>
  apiSite(async (at) => {
    await apply(at);
    const value = { spec: { replicas: 1 } };
    at.it.fault = () => undefined;
    await at.site.cluster.patch('Deployment', { namespace: 'default', name: 'nginx-test' }, { type: 'merge', value });
    const finding = await look(at);
    assert.equal(finding.severity, 'error');
    assert.match(finding.observed, /conflict with "holdfast".*\.spec\.replicas/);
    assert.match(finding.advice, /holdfast recover/);
  }));

test('objects of a namespace that is not there are refused, with the command that makes it', () =>
  apiSite(async (at) => {
    const finding = await look(at, { ...settings, namespace: 'missing' });
    assert.equal(finding.severity, 'error');
    assert.match(finding.observed, /Deployment missing\/nginx-test, .*: there is no namespace missing$/);
    assert.equal(finding.advice, 'make it first: kubectl create namespace missing');
  }));

test('with manifests: none nothing is applied', () =>
  apiSite(async (at) => {
    const finding = await look(at, { ...settings, manifests: 'none' });
    assert.deepEqual([finding.severity, finding.observed], ['info', 'nothing is applied']);
  }));

test('an object of somebody else that a run only patched is not ours', () => {
  const resource = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec: { ports: [] } } as const;
  const managed = (operation: 'Apply' | 'Update') => ({
    ...resource,
    metadata: { name: 'x', managedFields: [{ manager: 'holdfast', operation }] },
  });
  const planned = { ...resource, spec: { ports: [], type: 'ClusterIP' as const } };
  const state = (operation: 'Apply' | 'Update') =>
    adoptionOf({ resource, live: managed(operation), planned } as never).state;
  assert.deepEqual([state('Apply'), state('Update')], ['changed', 'refused']);
});
