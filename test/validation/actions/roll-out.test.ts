import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rollOut } from '../../../src/validation/actions/roll-out.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';

const labels = { app: 'web' };
const target = { kind: 'Deployment', namespace: 'shop', name: 'web', selector: 'app=web' } as const;
const never = new AbortController().signal;
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'shop', name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'x', image: 'x' }] } },
  },
};

const templateOf = async ({ cluster }: ApiSite) =>
  (await cluster.get('Deployment', { namespace: 'shop', name: 'web' }))?.spec.template;

test('the pod template changes, and is as before after the undo, which a second undo finds done', () =>
  apiSite(async (at) => {
    await at.put(deployment);
    const before = await templateOf(at);
    const intent = JSON.parse(JSON.stringify(await rollOut.prepare(at.site, target)));
    await rollOut.perform(at.site, intent, never);
    assert.notDeepEqual(await templateOf(at), before);
    assert.equal((await rollOut.verify(at.site, intent)).outcome, 'met');
    assert.equal((await rollOut.undo(at.site, intent)).state, 'undone');
    assert.deepEqual((await templateOf(at))?.metadata?.labels, before?.metadata?.labels);
    assert.equal((await rollOut.undo(at.site, intent)).state, 'not-needed');
    assert.match(rollOut.byHand(intent), /^kubectl -n shop patch deployment web .*"holdfast\/rolled-out-at":null/);
  }));

test('what another run has rolled out meanwhile stays, and a workload that is gone needs no undo', () =>
  apiSite(async (at) => {
    await at.put(deployment);
    const intent = await rollOut.prepare(at.site, target);
    await rollOut.perform(at.site, { ...intent, at: 'later' }, never);
    assert.equal((await rollOut.verify(at.site, intent)).outcome, 'not-met');
    assert.equal((await rollOut.undo(at.site, intent)).state, 'kept');
    await at.cluster.delete('Deployment', { namespace: 'shop', name: 'web' });
    assert.equal((await rollOut.undo(at.site, intent)).state, 'not-needed');
    await assert.rejects(rollOut.prepare(at.site, target), /Rolling out Deployment shop\/web: there is none/);
  }));
