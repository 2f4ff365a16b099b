import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseDeployment } from '../../../src/validation/actions/pause-deployment.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { podOn } from '../../support/objects.ts';

const labels = { app: 'external-dns' };
const target = { namespace: 'dns', name: 'external-dns', selector: 'app=external-dns' };
const never = new AbortController().signal;
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'dns', name: 'external-dns' },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'x', image: 'x' }] } },
  },
};
const pod = {
  ...podOn('a', { name: 'external-dns-1', labels }),
  metadata: { namespace: 'dns', name: 'external-dns-1', labels },
};

const replicasOf = async ({ cluster }: ApiSite) =>
  (await cluster.get('Deployment', { namespace: 'dns', name: 'external-dns' }))?.spec.replicas;

test('the Deployment is scaled to 0 and its last pod awaited, because a terminating pod still works', () =>
  apiSite(async (at) => {
    await at.put(deployment, pod);
    const intent = JSON.parse(JSON.stringify(await pauseDeployment.prepare(at.site, target)));
    const ended = at.it.clock
      .sleep(25)
      .then(() => at.cluster.delete('Pod', { namespace: 'dns', name: 'external-dns-1' }, { gracePeriodSeconds: 0 }));
    const began = at.it.clock.monotonicSeconds();
    await pauseDeployment.perform(at.site, intent, never);
    assert.ok(at.it.clock.monotonicSeconds() - began >= 25);
    await ended;
    assert.deepEqual([await replicasOf(at), (await pauseDeployment.verify(at.site, intent)).outcome], [0, 'met']);
    assert.equal((await pauseDeployment.undo(at.site, intent)).state, 'undone');
    assert.equal(await replicasOf(at), 2);
    assert.equal((await pauseDeployment.undo(at.site, intent)).state, 'not-needed');
  }));

test('a pod that does not end makes the outcome inconclusive, and is named', () =>
  apiSite(async (at) => {
    await at.put(deployment, pod);
    const intent = await pauseDeployment.prepare(at.site, target);
    await pauseDeployment.perform(at.site, intent, never);
    const { outcome, observed } = await pauseDeployment.verify(at.site, intent);
    assert.equal(outcome, 'inconclusive');
    assert.match(observed, /after 120 s still there: external-dns-1/);
  }));

test('a number that somebody else set meanwhile is kept', () =>
  apiSite(async (at) => {
    await at.put(deployment);
    const intent = await pauseDeployment.prepare(at.site, target);
    await pauseDeployment.perform(at.site, intent, never);
    await at.cluster.patch(
      'Deployment',
      { namespace: 'dns', name: 'external-dns' },
      { type: 'merge', value: { spec: { replicas: 3 } } },
    );
    assert.equal((await pauseDeployment.undo(at.site, intent)).state, 'kept');
    assert.equal(await replicasOf(at), 3);
    assert.equal(pauseDeployment.byHand(intent), 'kubectl -n dns scale deployment external-dns --replicas=2');
  }));

test('the wait for the last pod goes on when the API server was away for a while', () =>
  apiSite(async (at) => {
    await at.put(deployment, pod);
    const intent = await pauseDeployment.prepare(at.site, target);
    const paused = pauseDeployment.perform(at.site, intent, never);
    await at.it.clock.sleep(5);
    at.it.fault = () => ({ kind: 'refused' });
    await at.it.clock.sleep(30);
    await at.cluster.delete('Pod', { namespace: 'dns', name: 'external-dns-1' }, { gracePeriodSeconds: 0 });
    at.it.fault = () => undefined;
    await paused;
    assert.equal((await pauseDeployment.verify(at.site, intent)).outcome, 'met');
  }));
