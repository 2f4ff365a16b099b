import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cordonNode } from '../../../src/validation/actions/cordon-node.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { poolNode } from '../../support/objects.ts';

const never = new AbortController().signal;
const specOf = async ({ cluster }: ApiSite) => JSON.stringify((await cluster.get('Node', { name: 'a' }))?.spec ?? {});

test('a cordoned node takes no new pods, and takes them again after the undo', () =>
  apiSite(async (at) => {
    await at.put({ ...poolNode('a'), spec: { providerID: 'x' } });
    const before = await specOf(at);
    const intent = await cordonNode.prepare(at.site, { node: 'a' });
    await cordonNode.perform(at.site, intent, never);
    assert.match(await specOf(at), /"unschedulable":true/);
    assert.equal((await cordonNode.verify(at.site, intent)).outcome, 'met');
    assert.equal((await cordonNode.undo(at.site, intent)).state, 'undone');
    assert.equal(await specOf(at), before);
    assert.equal((await cordonNode.undo(at.site, intent)).state, 'not-needed', 'a second time');
  }));

test('a node that was cordoned before the run stays cordoned', () =>
  apiSite(async (at) => {
    await at.put({ ...poolNode('a'), spec: { unschedulable: true } });
    const intent = await cordonNode.prepare(at.site, { node: 'a' });
    await cordonNode.perform(at.site, intent, never);
    assert.equal((await cordonNode.undo(at.site, intent)).state, 'not-needed');
    assert.match(await specOf(at), /"unschedulable":true/);
  }));

const cordonByHand = ({ cluster }: ApiSite, unschedulable: boolean | null) =>
  cluster.patch('Node', { name: 'a' }, { type: 'strategic', value: { spec: { unschedulable } } });

test('a cordon of somebody else stays, whether it was set before ours or after ours was removed', () =>
  apiSite(async (at) => {
    await at.put(poolNode('a'));
    const intent = await cordonNode.prepare(at.site, { node: 'a' });
    await cordonByHand(at, true);
    await cordonNode.perform(at.site, intent, never);
    const { state, because } = await cordonNode.undo(at.site, intent);
    assert.deepEqual([state, because], ['kept', 'test cordoned it meanwhile']);
    await cordonByHand(at, null);
    await cordonNode.perform(at.site, intent, never);
    await cordonByHand(at, null);
    await cordonByHand(at, true);
    assert.equal((await cordonNode.undo(at.site, intent)).state, 'kept');
    assert.match(await specOf(at), /"unschedulable":true/);
  }));

test('a node that is gone, or a new node of that name, is left alone', () =>
  apiSite(async (at) => {
    await at.put(poolNode('a'));
    const intent = await cordonNode.prepare(at.site, { node: 'a' });
    await cordonNode.perform(at.site, intent, never);
    await at.cluster.delete('Node', { name: 'a' });
    assert.equal((await cordonNode.undo(at.site, intent)).state, 'not-needed');
    await at.put({ ...poolNode('a'), spec: { unschedulable: true } });
    assert.equal((await cordonNode.undo(at.site, intent)).state, 'not-needed');
    assert.match(await specOf(at), /"unschedulable":true/);
  }));

test('a node that somebody uncordons at once makes the outcome inconclusive', () =>
  apiSite(async (at) => {
    await at.put(poolNode('a'));
    const intent = await cordonNode.prepare(at.site, { node: 'a' });
    assert.equal((await cordonNode.verify(at.site, intent)).outcome, 'inconclusive');
    await assert.rejects(cordonNode.prepare(at.site, { node: 'b' }), /Node b: there is none/);
  }));
