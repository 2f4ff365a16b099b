import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit, web, withWeb } from './web.ts';

test('every visitor is answered while a new image is rolled out', async () => {
  const cluster = await withWeb();
  const client = cluster.kubernetes('me');
  const containers = [{ name: 'nginx', image: 'nginx:1.29' }];
  await client.patch('Deployment', web, { type: 'strategic', value: { spec: { template: { spec: { containers } } } } });
  const answers = new Set<unknown>();
  await cluster.runUntil(async () => {
    answers.add(await visit(cluster));
    const pods = await client.list('Pod', { labelSelector: 'app=web' });
    return pods.length === 2 && pods.every(({ spec }) => spec.containers[0]?.image === 'nginx:1.29');
  });
  assert.deepEqual([...answers], [200]);
});
