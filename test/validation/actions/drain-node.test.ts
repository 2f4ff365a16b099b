import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { drainNode } from '../../../src/validation/actions/drain-node.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { podOn, poolNode } from '../../support/objects.ts';

const never = new AbortController().signal;
const isCordoned = async ({ cluster }: ApiSite) =>
  (await cluster.get('Node', { name: 'a' }))?.spec?.unschedulable === true;

test('a drained node takes pods again after the undo; a second undo finds nothing to do', () =>
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

test('a node that was cordoned before the drain stays cordoned, and the command by hand only shows it', () =>
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

test('a pod whose name has a new pod counts as gone, and the new pod is not evicted', () =>
  apiSite(async (site) => {
    await site.put(poolNode('a'), podOn('a'));
    const intent = await drainNode.prepare(site.site, { node: 'a' });
    const evict: Cluster['evict'] = async (pod) => {
      await end(site);
      await site.put(podOn('a'));
      return site.site.cluster.evict(pod);
    };
    await drainNode.perform({ ...site.site, cluster: { ...site.site.cluster, evict } }, intent, never);
    assert.notEqual(await site.cluster.get('Pod', { namespace: 'default', name: 'nginx-test-a' }), undefined);
  }));

test('a pod in a namespace that is being deleted is waited for, as kubectl does', () =>
  apiSite(async (site) => {
    const [namespace, name] = ['going', 'nginx-test-a'];
    await site.put(poolNode('a'), podOn('a', { metadata: { namespace } }));
    await site.cluster.delete('Namespace', { name: namespace });
    const intent = await drainNode.prepare(site.site, { node: 'a' });
    const drained = drainNode.perform(site.site, intent, never);
    await site.it.clock.sleep(20);
    await site.cluster.delete('Pod', { namespace, name }, { gracePeriodSeconds: 0 });
    await drained;
    assert.equal((await drainNode.verify(site.site, intent)).outcome, 'met');
  }));

const budget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { namespace: 'default', name: 'nginx-test-pdb' },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'nginx-test' } } },
  status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, observedGeneration: 1 },
};
const end = ({ cluster }: ApiSite) =>
  cluster.delete('Pod', { namespace: 'default', name: 'nginx-test-a' }, { gracePeriodSeconds: 0 });

for (const [what, ...held] of [
  ['going', []],
  ['held by a budget', [budget]],
] as const) {
  test(`a drain of which a pod is ${what} goes on when the API server was away for a while`, () =>
    apiSite(async (site) => {
      await site.put(poolNode('a'), podOn('a'), ...held.flat());
      const intent = await drainNode.prepare(site.site, { node: 'a' });
      const drained = drainNode.perform(site.site, intent, never);
      await site.it.clock.sleep(3);
      site.it.fault = () => ({ kind: 'refused' });
      await site.it.clock.sleep(60);
      await end(site);
      site.it.fault = () => undefined;
      await drained;
      assert.equal((await drainNode.verify(site.site, intent)).outcome, 'met');
    }));

  test(`a drain of which a pod is ${what} ends when the API server refuses for another reason, is away until the limit, or the run is stopped`, async () => {
    const status = { kind: 'answer', status: 403, text: '{"reason":"Forbidden","message":"no"}' } as const;
    for (const [fault, seconds, trouble] of [
      [status, 10, /403 Forbidden/],
      [{ kind: 'refused' }, 605, /connection refused/],
      [{ kind: 'refused' }, 10, /stop/],
    ] as const)
      await apiSite(async (site) => {
        await site.put(poolNode('a'), podOn('a'), ...held.flat());
        const stop = new AbortController();
        const intent = await drainNode.prepare(site.site, { node: 'a' });
        const drained = drainNode.perform(site.site, intent, stop.signal).catch((error: unknown) => error);
        await site.it.clock.sleep(3);
        site.it.fault = () => fault;
        const from = site.it.clock.monotonicSeconds();
        void site.it.clock.sleep(seconds).then(() => stop.abort(new Error('stop')));
        assert.match(String(await drained), trouble);
        // A request is retried for 3.5 s before it counts as not answered.
        assert.ok(site.it.clock.monotonicSeconds() - from <= seconds + 4);
      });
  });
}
