import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Resource } from '../../../src/cluster/kinds.ts';
import type { Deployment } from '../../../src/cluster/resources.ts';
import { manifestsAudited } from '../../../src/validation/audit/manifests-audited.ts';
import { readAudited } from '../../../src/validation/audit/read-audited.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { hardened, settings } from '../../support/audited.ts';
import { podOn, poolNode } from '../../support/objects.ts';

const scaler = (name: string, namespace = 'default', target = name): Resource => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name, namespace },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target }, maxReplicas: 5 },
});
const application = hardened.filter(({ metadata }) => metadata.namespace === 'default');
const named = (resources: readonly { readonly metadata: { readonly name: string } }[]) =>
  resources.map(({ metadata }) => metadata.name);
const isOfIngress = (kind: string) => (one: Resource) =>
  one.kind === kind && one.metadata.namespace === 'ingress-nginx';

test('in manifests every Deployment but the ingress controller’s is an application, with its own autoscalers', () => {
  const mine = hardened.find(({ kind }) => kind === 'Deployment') as Deployment;
  const second = { ...mine, metadata: { ...mine.metadata, name: 'second' } } as Resource;
  const elsewhere = application.map((one) => ({ ...one, metadata: { ...one.metadata, namespace: 'web' } }) as Resource);
  const inWeb = elsewhere.filter(({ kind }) => kind !== 'Deployment');
  const unsaid = { ...scaler('nginx-test'), metadata: { name: 'unsaid' } } as Resource;
  const reversed = [
    ...hardened,
    ...inWeb,
    unsaid,
    scaler('nginx-test', 'web'),
    second,
    scaler('second'),
    scaler('nginx-test'),
  ].reverse();
  const ofController = [scaler('ingress-nginx-controller', 'ingress-nginx'), scaler('ingress-nginx-controller')];
  const all = manifestsAudited([scaler('x', 'default', 'elsewhere'), ...ofController, ...reversed], settings);
  assert.deepEqual(
    all.map(({ application: { workload, autoscalers } }) => [workload.metadata.name, named(autoscalers)]),
    [
      ['second', ['second']],
      ['nginx-test', ['nginx-test', 'unsaid']],
    ],
  );
  for (const { application: seen, ingressController } of all) {
    assert.deepEqual(named(seen.budgets), ['nginx-pdb']);
    assert.deepEqual(named(seen.waysIn), ['nginx-test']);
    assert.equal(ingressController?.deployment?.metadata.namespace, 'ingress-nginx');
    assert.equal(ingressController?.service?.spec.type, 'LoadBalancer');
    assert.deepEqual(ingressController?.autoscalers, ofController.slice(0, 1));
  }
});

test('manifests may have the ingress controller’s Deployment, its Service, or neither', () => {
  const seenOf = (...left: readonly string[]) => {
    const resources = hardened.filter(
      (one) => one.metadata.namespace === 'default' || left.some((kind) => isOfIngress(kind)(one)),
    );
    return Object.keys(manifestsAudited(resources, settings)[0]?.ingressController ?? { none: true });
  };
  assert.deepEqual(seenOf('Deployment'), ['deployment', 'autoscalers']);
  assert.deepEqual(seenOf('Service'), ['service']);
  assert.deepEqual(seenOf(), ['none']);
});

/** The objects of the specification, with those of others. */
async function live(at: ApiSite): Promise<void> {
  const stranger = { ...(application.find(({ kind }) => kind === 'Deployment') as Deployment) };
  const other = { ...stranger, metadata: { name: 'a-stranger', namespace: 'ingress-nginx' } };
  await at.put(other, ...hardened.filter(({ kind }) => kind !== 'NodePool'), poolNode('a'), podOn('a'));
  const labels = { 'app.kubernetes.io/component': 'controller' };
  await at.put({
    ...podOn('a', { name: 'controller', labels }),
    metadata: { name: 'controller', namespace: 'ingress-nginx', labels },
  });
  await at.put(scaler('nginx-test'), scaler('stranger'));
}

test('the live application is read with its ingress controller and the pods at this moment', () =>
  apiSite(async (at) => {
    assert.equal(await readAudited(at.site.cluster, settings), undefined);
    await live(at);
    const seen = await readAudited(at.site.cluster, settings);
    assert.deepEqual(named(seen?.application.autoscalers ?? []), ['nginx-test']);
    assert.deepEqual(named(seen?.application.budgets ?? []), ['nginx-pdb']);
    assert.deepEqual(named(seen?.application.waysIn ?? []), ['nginx-test']);
    assert.equal(seen?.ingressController?.deployment?.metadata.name, 'ingress-nginx-controller');
    assert.equal(seen?.ingressController?.service?.metadata.name, 'ingress-nginx-controller');
    assert.deepEqual(named(seen?.now?.pods ?? []), ['nginx-test-a']);
    assert.deepEqual(named(seen?.now?.ingressPods ?? []), ['controller']);
  }));

test('objects that do not exist or may not be read are not audited', () =>
  apiSite(async (at) => {
    await at.put(...application.filter(({ kind }) => kind === 'Deployment'));
    const seen = await readAudited(at.site.cluster, settings);
    assert.deepEqual(seen?.application.waysIn, []);
    assert.deepEqual(seen?.ingressController, {});
    at.it.fault = ({ url }) =>
      /horizontalpodautoscalers|ingress-nginx\/deployments/.test(url) ? { kind: 'answer', status: 403 } : undefined;
    const refused = await readAudited(at.site.cluster, settings);
    assert.deepEqual(refused?.application.autoscalers, []);
    assert.deepEqual(refused?.ingressController, {});
  }));
