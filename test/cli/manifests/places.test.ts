import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placesOf } from '../../../src/cli/manifests/places.ts';
import { readOwn, servedObjects } from '../../../src/cli/manifests/read-own.ts';
import type { Service } from '../../../src/cluster/resources.ts';
import { systemClock } from '../../../src/host/clock.ts';
import { memoryFiles } from '../../../src/host/memory-files.ts';
import { service, strong } from '../../support/own-manifests.ts';
import { quietHost } from '../../support/quiet-host.ts';

test('objects of one name in two namespaces are kept apart: each load balancer gets its own application’s name, each finding its place', async () => {
  const balanced = { ...service(), spec: { ...(service() as Service).spec, type: 'LoadBalancer' } };
  const [web, , , guard] = strong() as readonly { readonly metadata: object }[];
  const files = memoryFiles();
  for (const namespace of ['live', 'staging']) {
    const all = [web, balanced, guard].map((one) => ({ ...one, metadata: { ...one?.metadata, namespace } }));
    await files.replace(`${namespace}.yaml`, all.map((one) => JSON.stringify(one, null, 1)).join('\n---\n'));
  }
  const host = { ...quietHost(), files, clock: systemClock() };
  const context = { host } as unknown as Parameters<typeof readOwn>[0];
  const first = await readOwn(context, { paths: ['live.yaml', 'staging.yaml'], rehearsed: true });
  const applications = [first, ...first.others];
  assert.deepEqual(
    applications.map(({ application }) => application.namespace),
    ['live', 'staging'],
  );
  for (const own of applications) {
    const { namespace } = own.application;
    const named = servedObjects(own).filter(({ metadata }) => metadata.annotations !== undefined);
    assert.deepEqual(
      named.map(({ metadata }) => metadata.namespace),
      [namespace],
    );
    const places = Object.values(placesOf(own)).map(({ file }) => file);
    assert.deepEqual(new Set(places), new Set([`${namespace}.yaml`]));
  }
});

test('a load balancer class that nobody implements, and pods that do not come up, have their lines', async () => {
  const balanced = {
    ...service(),
    spec: { ...(service() as Service).spec, type: 'LoadBalancer', loadBalancerClass: 'x.io/y' },
  };
  const [web] = strong();
  const files = memoryFiles();
  const text = [web, balanced].map((one) => JSON.stringify(one, null, 1)).join('\n---\n');
  await files.replace('own.yaml', text);
  const host = { ...quietHost(), files, clock: systemClock() };
  const context = { host } as unknown as Parameters<typeof readOwn>[0];
  const places = placesOf(await readOwn(context, { paths: ['own.yaml'], rehearsed: true }));
  const lineOf = (id: string) => text.split('\n')[(places[id]?.line ?? 0) - 1]?.trim();
  assert.match(lineOf('ingress-address') ?? '', /^"loadBalancerClass": "x\.io\/y"/);
  assert.equal(lineOf('application'), '"spec": {');
});
