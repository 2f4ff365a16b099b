import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drainNode } from '../../../src/validation/actions/drain-node.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { poolNode } from '../../support/objects.ts';

const never = new AbortController().signal;
const isCordoned = async ({ cluster }: ApiSite) =>
  (await cluster.get('Node', { name: 'a' }))?.spec?.unschedulable === true;

test('a drained node takes pods again as before, and a second time there is nothing to do', () =>
  apiSite(async (site) => {
    await site.put(poolNode('a'));
    const intent = await drainNode.prepare(site.site, { node: 'a' });
    await drainNode.perform(site.site, intent, never);
    assert.equal(await isCordoned(site), true);
    assert.equal((await drainNode.undo(site.site, intent)).state, 'undone');
    assert.equal(await isCordoned(site), false);
    assert.equal((await drainNode.undo(site.site, intent)).state, 'not-needed');
    assert.equal(drainNode.byHand(intent), 'kubectl uncordon a');
  }));

test('a node that was cordoned before the drain stays so, and by hand there is only to look', () =>
  apiSite(async (site) => {
    await site.put({ ...poolNode('a'), spec: { unschedulable: true } });
    const intent = await drainNode.prepare(site.site, { node: 'a' });
    await drainNode.perform(site.site, intent, never);
    assert.equal((await drainNode.undo(site.site, intent)).state, 'not-needed');
    assert.equal(await isCordoned(site), true);
    assert.equal(drainNode.byHand(intent), 'kubectl get node a');
  }));

test('another node of that name is neither drained nor uncordoned', () =>
  apiSite(async (site) => {
    await site.put(poolNode('a'));
    const intent = await drainNode.prepare(site.site, { node: 'a' });
    await site.cluster.delete('Node', { name: 'a' });
    await site.put(poolNode('a'));
    await assert.rejects(drainNode.perform(site.site, intent, never), /422/);
    assert.equal(await isCordoned(site), false);
    assert.equal((await drainNode.undo(site.site, intent)).state, 'not-needed');
  }));
