import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit, withWeb } from './web.ts';

test('a drain of both nodes waits for the budget, and every visitor is answered', async () => {
  const cluster = await withWeb();
  const client = cluster.kubernetes('me');
  const pods = await client.list('Pod', { labelSelector: 'app=web' });
  for (const { spec } of pods)
    await client.patch(
      'Node',
      { name: spec.nodeName ?? '' },
      { type: 'merge', value: { spec: { unschedulable: true } } },
    );
  const [first, second] = pods.map(({ metadata: { name, uid = '' } }) => ({ namespace: 'default', name, uid }));
  assert.ok(first && second);
  assert.equal((await client.evict(first)).outcome, 'evicted');
  assert.equal((await client.evict(second)).outcome, 'refused', 'the first one is not replaced yet');
  const answers = new Set<unknown>();
  await cluster.runUntil(async () => {
    answers.add(await visit(cluster));
    return (await client.evict(second)).outcome === 'evicted';
  });
  assert.deepEqual([...answers], [200]);
});
