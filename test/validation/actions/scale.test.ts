import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployment } from '../../../packages/embedded-cluster/test/api-server/in-api.ts';
import { scale } from '../../../src/validation/actions/scale.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';

const at = { namespace: 'default', name: 'nginx-test' };
const never = new AbortController().signal;
const replicasIn = async ({ cluster }: ApiSite) => (await cluster.get('Deployment', at))?.spec.replicas;
const setTo = ({ cluster }: ApiSite, replicas: number) =>
  cluster.patch('Deployment', at, { type: 'merge', value: { spec: { replicas } } });

async function scaled(site: ApiSite) {
  await site.put(deployment());
  const intent = JSON.parse(JSON.stringify(await scale.prepare(site.site, { ...at, replicas: 5 })));
  await scale.perform(site.site, intent, never);
  assert.equal((await scale.verify(site.site, intent)).outcome, 'met');
  return intent;
}

test('the replicas are set and restored; a second undo finds nothing to do', () =>
  apiSite(async (site) => {
    const intent = await scaled(site);
    assert.equal(await replicasIn(site), 5);
    assert.equal((await scale.undo(site.site, intent)).state, 'undone');
    assert.equal(await replicasIn(site), 2);
    assert.equal((await scale.undo(site.site, intent)).state, 'not-needed');
    assert.equal(scale.byHand(intent), 'kubectl -n default scale deployment nginx-test --replicas=2');
  }));

test('a StatefulSet is scaled by its kind', () =>
  apiSite(async (site) => {
    const { kind: _, ...rest } = deployment();
    const { strategy: __, ...spec } = rest.spec;
    await site.put({ ...rest, kind: 'StatefulSet', spec });
    const intent = await scale.prepare(site.site, { ...at, kind: 'StatefulSet', replicas: 5 });
    await scale.perform(site.site, intent, never);
    assert.equal((await site.cluster.get('StatefulSet', at))?.spec.replicas, 5);
    assert.equal(scale.subject(intent), 'StatefulSet default/nginx-test');
    assert.equal(scale.byHand(intent), 'kubectl -n default scale statefulset nginx-test --replicas=2');
    assert.equal((await scale.undo(site.site, intent)).state, 'undone');
    assert.equal((await site.cluster.get('StatefulSet', at))?.spec.replicas, 2);
  }));

test('with an older action of the run there is one way back, before it was made and after it', () =>
  apiSite(async (site) => {
    const older = await scaled(site);
    const intent = JSON.parse(JSON.stringify(await scale.prepare(site.site, { ...at, replicas: 1, undoTo: 2 })));
    assert.equal((await scale.undo(site.site, intent)).state, 'not-needed', 'not made yet');
    assert.equal(await replicasIn(site), 5);
    await scale.perform(site.site, intent, never);
    assert.equal(scale.byHand(intent), 'kubectl -n default scale deployment nginx-test --replicas=2');
    assert.equal((await scale.undo(site.site, intent)).state, 'undone');
    assert.equal(await replicasIn(site), 2);
    assert.equal((await scale.undo(site.site, older)).state, 'not-needed');
    assert.equal(await replicasIn(site), 2);
  }));

test('a number that somebody else set meanwhile is kept, and the original is reported', () =>
  apiSite(async (site) => {
    const intent = await scaled(site);
    await setTo(site, 7);
    const { state, because } = await scale.undo(site.site, intent);
    assert.deepEqual([state, because], ['kept', 'somebody set replicas to 7 meanwhile; before the run they were 2']);
    assert.equal(await replicasIn(site), 7);
  }));

test('a change between reading and writing is not overwritten', () =>
  apiSite(async (site) => {
    const intent = await scaled(site);
    site.it.fault = ({ method }) => {
      if (method === 'PATCH') void setTo(site, 7);
      return undefined;
    };
    await assert.rejects(scale.undo(site.site, intent));
    assert.equal(await replicasIn(site), 7);
  }));

test('a Deployment that is gone needs no undo', () =>
  apiSite(async (site) => {
    const intent = await scaled(site);
    await site.cluster.delete('Deployment', at);
    assert.equal((await scale.undo(site.site, intent)).state, 'not-needed');
  }));
