import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { requestLimit } from '../../../src/validation/observe/request-limit.ts';
import { validationSchema } from '../../../src/validation/settings.ts';

const settings = validationSchema.parse({});
const clusterWith = (annotations: Readonly<Record<string, string>> | undefined) =>
  ({ get: async () => annotations && { metadata: { name: 'nginx-test', annotations } } }) as unknown as Cluster;

test('an Ingress that limits its clients’ requests or connections allows no edges', async () => {
  const limit = (name: string) => clusterWith({ [`nginx.ingress.kubernetes.io/${name}`]: '5' });
  for (const name of ['limit-rps', 'limit-rpm', 'limit-connections'])
    assert.equal(await requestLimit(limit(name), settings), name);
  assert.equal(await requestLimit(limit('limit-whitelist'), settings), undefined);
});

test('without an annotation, an Ingress, or a controller of Ingresses there is no limit', async () => {
  assert.equal(await requestLimit(clusterWith({}), settings), undefined);
  assert.equal(await requestLimit(clusterWith(undefined), settings), undefined);
  const limited = clusterWith({ 'nginx.ingress.kubernetes.io/limit-rps': '5' });
  assert.equal(await requestLimit(limited, { ...settings, ingress: null }), undefined);
});
