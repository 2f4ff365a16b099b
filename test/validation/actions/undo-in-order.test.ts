import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployment } from '../../../packages/embedded-cluster/test/api-server/in-api.ts';
import { manifestOf } from '../../../src/cluster/manifest.ts';
import { undoInOrder } from '../../../src/validation/actions/undo-action.ts';
import { recover } from '../../../src/validation/procedure/recover.ts';
import { openIntents } from '../../../src/validation/record/open-intents.ts';
import { type ActingOn, actingOn } from '../../support/acting-on.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';
import { poolNode } from '../../support/objects.ts';

const at = { namespace: 'default', name: 'nginx-test' };
const replicasIn = async ({ cluster }: ApiSite) => (await cluster.get('Deployment', at))?.spec.replicas;

/** Scales from 2 replicas to the baseline of 1, then to 5 for the scenario, after another node was cordoned. */
async function scaledTwice(site: ApiSite): Promise<ActingOn> {
  await site.put(poolNode('a'), deployment());
  const acting = actingOn(site);
  await acting.act({ action: 'cordon-node', target: { node: 'a' } });
  await acting.act({ action: 'scale', target: { ...at, replicas: 1 } });
  await acting.act({ action: 'scale', target: { ...at, replicas: 5 } });
  return acting;
}

/** Undoes everything, newest first; returns the state of each. */
async function undone({ site }: ApiSite, { journal, begun }: ActingOn, hurry?: AbortSignal) {
  const undo = undoInOrder(site, journal, hurry);
  const states: string[] = [];
  for (const one of begun.toReversed()) states.push((await undo(one)).state);
  return states;
}

/** `recover` undoes the open actions and leaves none open. */
async function recovered(site: ApiSite, { facts, journal }: ActingOn): Promise<void> {
  await recover(site.site, facts, journal, { cleanup: false });
  assert.equal(await replicasIn(site), 2);
  assert.deepEqual(openIntents(facts), []);
}

test('while a newer action on an object is not undone its older one stays open, and recover undoes both', () =>
  apiSite(async (site) => {
    const acting = await scaledTwice(site);
    const endsAt = site.it.clock.monotonicSeconds() + 90;
    const isRefused = ({ method, url }: { method: string; url: string }) =>
      method === 'PATCH' && url.includes('deployments') && site.it.clock.monotonicSeconds() < endsAt;
    site.it.fault = (request) => (isRefused(request) ? { kind: 'refused' } : undefined);
    assert.deepEqual(await undone(site, acting), ['failed', 'failed', 'undone'], 'the node is another object');
    assert.match(JSON.stringify(acting.facts), /a newer action of it is not undone yet.*--replicas=2/);
    assert.deepEqual(
      openIntents(acting.facts).map(({ id }) => id),
      ['action-3', 'action-2'],
    );
    site.it.fault = () => undefined;
    await recovered(site, acting);
  }));

test('after a second signal during the newer undo the older one stays open', () =>
  apiSite(async (site) => {
    const acting = await scaledTwice(site);
    const hurry = new AbortController();
    hurry.abort();
    let patches = 0;
    site.it.fault = ({ method }) => (method === 'PATCH' && patches++ === 0 ? { kind: 'hang' } : undefined);
    assert.deepEqual(await undone(site, acting, hurry.signal), ['failed', 'failed', 'undone']);
    await recovered(site, acting);
  }));

test('an applied object is deleted even if a newer action on it is not undone', () =>
  apiSite(async (site) => {
    const acting = actingOn(site);
    const { spec } = deployment();
    const resource = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: at, spec };
    await acting.act({ action: 'apply-object', target: manifestOf(resource as never) });
    await acting.act({ action: 'scale', target: { ...at, replicas: 5 } });
    site.it.fault = ({ method }) => (method === 'PATCH' ? { kind: 'refused' } : undefined);
    assert.deepEqual(await undone(site, acting), ['failed', 'undone']);
    assert.equal(await replicasIn(site), undefined);
  }));
