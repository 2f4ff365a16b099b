import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointSlice } from '../../src/controllers/endpoint-slice.ts';
import * as objects from '../support/objects.ts';
import { onStage, type Stage } from '../support/stage.ts';

const slice = async ({ cluster }: Stage) => (await cluster.list('EndpointSlice'))[0];
const at = (name: string) => ({ name, namespace: 'default' });
const node = objects.node('a', { labels: { 'topology.kubernetes.io/zone': 'us-east-1a' } });
const on = (name: string, ready: boolean) => objects.pod(name, { nodeName: 'a' }, { ready });

test('a Service’s EndpointSlice has all its pods with an address, ready or not', async () => {
  const before = [node, objects.service, on('good', true), on('bad', false), objects.pod('without-address')];
  await onStage([endpointSlice], before, async (stage) => {
    const seconds = await stage.until(async () => (await slice(stage)) !== undefined);
    assert.ok(seconds <= 0.07, `${seconds} s`);
    const made = await slice(stage);
    assert.equal(made?.metadata.labels?.['kubernetes.io/service-name'], 'nginx-test');
    assert.deepEqual(made?.ports, [{ name: '', port: 80, protocol: 'TCP' }]);
    const endpoints = made?.endpoints?.map(({ targetRef, conditions }) => [targetRef?.name, conditions]);
    assert.deepEqual(endpoints?.sort(), [
      ['bad', { ready: false, serving: false, terminating: false }],
      ['good', { ready: true, serving: true, terminating: false }],
    ]);
  });
});

test('a headless Service may have no ports; its EndpointSlice has its pods all the same', async () => {
  const { ports: _, ...spec } = objects.service.spec;
  const headless = { ...objects.service, spec: { ...spec, clusterIP: 'None' } } as unknown as typeof objects.service;
  await onStage([endpointSlice], [node, headless, on('good', true)], async (stage) => {
    await stage.until(async () => (await slice(stage))?.endpoints?.length === 1);
    assert.deepEqual((await slice(stage))?.ports ?? [], []);
  });
});

test('a terminating pod is serving but not ready at once, and is removed from the slice when it is gone', async () => {
  await onStage([endpointSlice], [node, objects.service, on('p', true)], async (stage) => {
    await stage.until(async () => (await slice(stage))?.endpoints?.length === 1);
    await stage.cluster.delete('Pod', at('p'));
    const seconds = await stage.until(
      async () => (await slice(stage))?.endpoints?.[0]?.conditions?.terminating === true,
    );
    assert.ok(seconds <= 0.07, `${seconds} s`);
    assert.deepEqual((await slice(stage))?.endpoints?.[0]?.conditions, {
      ready: false,
      serving: true,
      terminating: true,
    });
    await stage.cluster.delete('Pod', at('p'), { gracePeriodSeconds: 0 });
    await stage.until(async () => (await slice(stage))?.endpoints === null);
  });
});

test('a pod whose Node is gone is dropped from the slice at its next change, and is back with the Node', async () => {
  await onStage([endpointSlice], [node, objects.service, on('p', true), on('q', true)], async (stage) => {
    await stage.until(async () => (await slice(stage))?.endpoints?.length === 2);
    await stage.cluster.delete('Node', { name: 'a' });
    await stage.cluster.patch('Pod', at('p'), { type: 'merge', value: { metadata: { labels: { changed: 'yes' } } } });
    await stage.until(async () => (await slice(stage))?.endpoints === null);
    await stage.cluster.create(node);
    const seconds = await stage.until(async () => (await slice(stage))?.endpoints?.length === 2);
    assert.ok(seconds <= 1.1, `${seconds} s`);
  });
});

test('an endpoint has its node and zone; with publishNotReadyAddresses it is always ready', async () => {
  for (const publishNotReadyAddresses of [false, true]) {
    const service = { ...objects.service, spec: { ...objects.service.spec, publishNotReadyAddresses } };
    await onStage([endpointSlice], [node, service, on('a', false)], async (stage) => {
      await stage.until(async () => (await slice(stage))?.endpoints?.length === 1);
      const [endpoint] = (await slice(stage))?.endpoints ?? [];
      assert.deepEqual([endpoint?.nodeName, endpoint?.zone], ['a', 'us-east-1a']);
      assert.equal(endpoint?.conditions?.ready, publishNotReadyAddresses);
      assert.equal(endpoint?.conditions?.serving, false);
    });
  }
});
