import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cloud, Instance } from '../../../src/cloud/cloud.ts';
import { OperationError } from '../../../src/host/errors.ts';
import { terminateZone } from '../../../src/validation/actions/terminate-zone.ts';
import type { Site } from '../../../src/validation/site.ts';
import { apiSite } from '../../support/api-site.ts';
import { podOn, poolNode } from '../../support/objects.ts';

const target = { zone: 'us-east-1a', nodes: ['a', 'b'], nodePool: 'general-purpose-arm' };
const never = new AbortController().signal;
const idOf = (node: string) => `i-0000000000000000${node}`;
const providerOf = (node: string) => `aws:///us-east-1a/${idOf(node)}`;

/** A site with two nodes; an instance is as `over` says of its node. */
function withZone(
  over: Readonly<Record<string, Partial<Instance>>>,
  main: (site: Site, asked: (readonly string[])[]) => Promise<void>,
): Promise<void> {
  return apiSite(async (at) => {
    const nodes = target.nodes.map((node) => ({ ...poolNode(node), spec: { providerID: providerOf(node) } }));
    await at.put(...nodes, podOn('a'), podOn('b'), podOn('b', { name: 'proxy', owner: 'DaemonSet' }));
    const asked: (readonly string[])[] = [];
    const cloud: Partial<Cloud> = {
      instance: async (providerId) => {
        const node = providerId.slice(-1);
        const state = asked.flat().includes(providerId) ? 'shutting-down' : 'running';
        return { id: idOf(node), state, tags: { 'karpenter.sh/nodepool': target.nodePool }, ...over[node] };
      },
      terminate: async (ids) => void asked.push(ids),
    };
    await main({ ...at.site, cloud: cloud as Cloud }, asked);
  });
}

test('the instances of all nodes are terminated by one request, and nothing undoes it', () =>
  withZone({}, async (site, asked) => {
    const intent = await terminateZone.prepare(site, target);
    assert.deepEqual(asked, [], 'preparing ends nothing');
    assert.deepEqual(terminateZone.permission?.(intent), {
      typed: 'us-east-1a',
      because: 'it ends these pods: default/nginx-test-a, default/nginx-test-b',
    });
    assert.equal(
      terminateZone.subject(intent),
      `zone us-east-1a: instance ${idOf('a')} (Node a), instance ${idOf('b')} (Node b)`,
    );
    await terminateZone.perform(site, intent, never);
    assert.deepEqual(asked, [[providerOf('a'), providerOf('b')]]);
    const { outcome, observed } = await terminateZone.verify(site, intent);
    assert.deepEqual([outcome, observed], ['met', 'they are shutting-down']);
    assert.equal((await terminateZone.undo(site, intent)).state, 'irreversible');
    assert.deepEqual([terminateZone.takes?.(target, []), terminateZone.nodes?.(intent)], [target.nodes, target.nodes]);
  }));

test('where one of them must not be terminated, none is', () =>
  withZone({ b: { tags: { 'karpenter.sh/nodepool': 'another' } } }, async (site, asked) => {
    await assert.rejects(terminateZone.prepare(site, target), (error) => {
      assert.ok(error instanceof OperationError);
      assert.match(error.message, /Node b: .*tagged karpenter\.sh\/nodepool=another/);
      return true;
    });
    assert.deepEqual(asked, []);
  }));
