import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cloud, Instance } from '../../../src/cloud/cloud.ts';
import { OperationError } from '../../../src/host/errors.ts';
import { terminateInstance } from '../../../src/validation/actions/terminate-instance.ts';
import type { Site } from '../../../src/validation/site.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { podOn, poolNode } from '../../support/objects.ts';

const providerId = 'aws:///us-east-1a/i-0123456789abcdef0';
const running: Instance = {
  id: 'i-0123456789abcdef0',
  state: 'running',
  tags: { 'karpenter.sh/nodepool': 'general-purpose-arm' },
};
const target = { node: 'a', nodePool: 'general-purpose-arm' };
const never = new AbortController().signal;

/** A site with one node and its instance, as the test says. */
function withInstance(
  instance: Instance | undefined,
  main: (site: Site, ended: string[], at: ApiSite) => Promise<void>,
  node: object = { ...poolNode('a'), spec: { providerID: providerId } },
): Promise<void> {
  return apiSite(async (at) => {
    await at.put(node, podOn('a'), podOn('a', { name: 'proxy', owner: 'DaemonSet' }));
    const ended: string[] = [];
    const asked: Partial<Cloud> = {
      instance: async () => (ended.length > 0 && instance ? { ...instance, state: 'shutting-down' } : instance),
      terminate: async (ids) => void ended.push(...ids),
    };
    await main({ ...at.site, cloud: asked as Cloud }, ended, at);
  });
}

test('the instance of the node is terminated after its id was typed, and nothing undoes it', () =>
  withInstance(running, async (site, ended) => {
    const intent = await terminateInstance.prepare(site, target);
    assert.deepEqual(terminateInstance.permission?.(intent), {
      typed: 'i-0123456789abcdef0',
      because: 'it ends these pods: default/nginx-test-a',
    });
    assert.equal(terminateInstance.subject(intent), 'instance i-0123456789abcdef0 (Node a)');
    assert.deepEqual(ended, [], 'preparing ends nothing');
    await terminateInstance.perform(site, intent, never);
    assert.deepEqual(ended, [providerId]);
    assert.equal((await terminateInstance.verify(site, intent)).outcome, 'met');
    assert.equal((await terminateInstance.undo(site, intent)).state, 'irreversible');
    assert.deepEqual(terminateInstance.nodes?.(intent), ['a']);
  }));

test('only a running instance whose tag names the pool is terminated', async () => {
  const cases: readonly (readonly [Instance | undefined, RegExp])[] = [
    [undefined, /knows no such instance/],
    [{ ...running, state: 'stopped' }, /its instance is stopped/],
    [{ ...running, tags: {} }, /tagged karpenter\.sh\/nodepool=nothing/],
    [{ ...running, tags: { 'karpenter.sh/nodepool': 'another' } }, /tagged karpenter\.sh\/nodepool=another/],
  ];
  for (const [instance, reason] of cases)
    await withInstance(instance, async (site, ended) => {
      await assert.rejects(terminateInstance.prepare(site, target), reason);
      assert.deepEqual(ended, []);
    });
});

test('without a providerID or access to the cloud no instance is terminated', () =>
  withInstance(
    running,
    async (site, _ended, at) => {
      await assert.rejects(terminateInstance.prepare(site, target), /no providerID/);
      await at.put({ ...poolNode('b'), spec: { providerID: providerId } });
      await assert.rejects(terminateInstance.prepare(at.site, { ...target, node: 'b' }), /no access to the cloud/);
    },
    poolNode('a'),
  ));

test('an instance that goes on running makes the outcome inconclusive', () =>
  withInstance(running, async (site) => {
    const intent = await terminateInstance.prepare(site, target);
    assert.equal((await terminateInstance.verify(site, intent)).outcome, 'inconclusive');
  }));

test('the cloud is asked again after the termination; an error at the end of the wait is thrown', () =>
  withInstance(running, async (site, _ended, { it: { clock } }) => {
    const intent = await terminateInstance.prepare(site, target);
    await terminateInstance.perform(site, intent, never);
    const silentUntil = (seconds: number): Site => ({
      ...site,
      cloud: {
        ...site.cloud,
        instance: async (id: string) => {
          if (clock.monotonicSeconds() >= seconds) return site.cloud?.instance(id);
          throw new OperationError({ tried: 'DescribeInstances', on: id, reason: 'connection reset' });
        },
      } as Cloud,
    });
    const now = clock.monotonicSeconds();
    assert.equal((await terminateInstance.verify(silentUntil(now + 20), intent)).outcome, 'met');
    await assert.rejects(terminateInstance.verify(silentUntil(now + 200), intent), /connection reset/);
    assert.ok(clock.monotonicSeconds() - now <= 51);
  }));
