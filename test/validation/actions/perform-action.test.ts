import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployment } from '../../../packages/embedded-cluster/test/api-server/in-api.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { OperationError } from '../../../src/host/errors.ts';
import { undoInOrder } from '../../../src/validation/actions/undo-action.ts';
import { recover } from '../../../src/validation/procedure/recover.ts';
import { openIntents } from '../../../src/validation/record/open-intents.ts';
import { actingOn } from '../../support/acting-on.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { nodePool, podOn } from '../../support/objects.ts';

const at = { namespace: 'default', name: 'nginx-test' };
const pool = nodePool();
const { name } = pool.metadata;

/** An admission webhook that changes the first value. */
function withWebhook(site: ApiSite, kind: 'Deployment' | 'NodePool', value: object): ApiSite {
  let calls = 0;
  const patch: Cluster['patch'] = async (...asked) => {
    const made = await site.site.cluster.patch(...asked);
    if (calls++ > 0) return made;
    return site.cluster.patch(kind, asked[1], { type: 'merge', value: { spec: value } }) as Promise<never>;
  };
  return { ...site, site: { ...site.site, cluster: { ...site.site.cluster, patch } } };
}

test('a value that an admission webhook changed is undone, by the run and by recover', () =>
  apiSite(async (bare) => {
    await bare.put(pool, deployment());
    const after = async () => (await bare.cluster.get('NodePool', { name }))?.spec.disruption?.consolidateAfter;
    const inPool = withWebhook(bare, 'NodePool', { disruption: { consolidateAfter: '5m' } });
    const acting = actingOn(inPool);
    await acting.act({ action: 'set-consolidate-after', target: { nodePool: name, value: '2m' } });
    assert.equal(await after(), '5m');
    const [begun] = acting.begun;
    const [open] = openIntents(acting.facts);
    assert.ok(begun && open);
    assert.deepEqual(open.intent, begun.intent, 'on disk as in memory');
    assert.equal((await undoInOrder(inPool.site, acting.journal)(open)).state, 'undone');
    assert.equal(await after(), '1h');
  }));

test('replicas that an admission webhook changed are undone', () =>
  apiSite(async (bare) => {
    await bare.put(deployment());
    const site = withWebhook(bare, 'Deployment', { replicas: 4 });
    const acting = actingOn(site);
    await acting.act({ action: 'scale', target: { ...at, replicas: 5 } });
    const [begun] = acting.begun;
    assert.ok(begun);
    assert.equal((await undoInOrder(site.site, acting.journal)(begun)).state, 'undone');
    assert.equal((await bare.cluster.get('Deployment', at))?.spec.replicas, 2);
  }));

/** A write without a response, which the server carries out so many seconds after the client gave up. */
async function unanswered(site: ApiSite, seconds: number) {
  await site.put(pool);
  const acting = actingOn(site);
  site.it.fault = ({ method }) => (method === 'PATCH' ? { kind: 'hang' } : undefined);
  await assert.rejects(acting.act({ action: 'set-consolidate-after', target: { nodePool: name, value: '2m' } }));
  site.it.fault = () => undefined;
  const value = { spec: { disruption: { consolidateAfter: '2m' } } };
  const late = site.it.clock
    .sleep(seconds)
    .then(() => site.cluster.patch('NodePool', { name }, { type: 'merge', value }));
  const [begun] = acting.begun;
  assert.ok(begun);
  return { begun, acting, late };
}

test('an action without a response is undone again when the server can no longer carry it out', () =>
  apiSite(async (site) => {
    const { begun, acting, late } = await unanswered(site, 25);
    assert.equal((await undoInOrder(site.site, acting.journal)(begun)).state, 'undone');
    await late;
    assert.equal((await site.cluster.get('NodePool', { name }))?.spec.disruption?.consolidateAfter, '1h');
  }));

test('a second signal ends that wait, and leaves the action to recover', () =>
  apiSite(async (site) => {
    const { begun, acting, late } = await unanswered(site, 25);
    const began = site.it.clock.monotonicSeconds();
    const end = await undoInOrder(site.site, acting.journal, AbortSignal.abort())(begun);
    assert.equal(end.state, 'failed');
    assert.match(end.because, /may still make what it did not answer\. By hand: kubectl patch nodepool/);
    assert.ok(site.it.clock.monotonicSeconds() - began < 6);
    const [recovered] = await recover(site.site, acting.facts, acting.journal, { cleanup: false });
    assert.equal(recovered?.undo.state, 'undone', 'recover at once looks at it later too');
    await late;
    assert.equal((await site.cluster.get('NodePool', { name }))?.spec.disruption?.consolidateAfter, '1h');
    assert.deepEqual(openIntents(acting.facts), []);
  }));

test('replicas of a paused Deployment that a webhook changed are undone', () =>
  apiSite(async (bare) => {
    await bare.put(deployment());
    const site = withWebhook(bare, 'Deployment', { replicas: 1 });
    const acting = actingOn(site);
    await acting.act({ action: 'pause-deployment', target: { ...at, selector: 'app=nginx-test' } });
    const [open] = openIntents(acting.facts);
    assert.ok(open);
    assert.equal((await undoInOrder(site.site, acting.journal)(open)).state, 'undone');
    assert.equal((await bare.cluster.get('Deployment', at))?.spec.replicas, 2);
  }));

test('an action that got a response counts as answered even if it could not be verified', () =>
  apiSite(async (site) => {
    await site.put(pool);
    const acting = actingOn(site);
    let written = false;
    site.it.fault = ({ method }) => {
      if (written) return { kind: 'refused' };
      written = method === 'PATCH';
      return undefined;
    };
    await assert.rejects(acting.act({ action: 'set-consolidate-after', target: { nodePool: name, value: '2m' } }));
    assert.equal(acting.begun[0]?.unanswered, false);
  }));

test('an action that a signal ended counts as answered', () =>
  apiSite(async (site) => {
    const labels = { app: 'nginx-test' };
    await site.put(deployment(), podOn('a', { labels }));
    const stop = new AbortController();
    const acting = actingOn(site, stop.signal);
    const target = { ...at, selector: 'app=nginx-test' };
    const acted = acting.act({ action: 'pause-deployment', target });
    await site.it.clock.sleep(5);
    stop.abort(new OperationError({ tried: 'Running', on: 'the procedure', reason: 'stopped by SIGINT' }));
    await assert.rejects(acted, /SIGINT/);
    assert.equal(acting.begun[0]?.unanswered, false);
  }));
