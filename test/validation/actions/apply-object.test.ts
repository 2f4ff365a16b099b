import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../src/cluster/cluster.ts';
import { manifestOf } from '../../../src/cluster/manifest.ts';
import type { Service } from '../../../src/cluster/resources.ts';
import { applyObject } from '../../../src/validation/actions/apply-object.ts';
import { manifests } from '../../../src/validation/manifests/manifests.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';

const service = manifests(validationSchema.parse({})).find((one) => one.kind === 'Service') as Service;
const at = { namespace: 'default', name: service.metadata.name };
const never = new AbortController().signal;
const thereIn = ({ cluster }: ApiSite) => cluster.get('Service', at);

async function applied(site: ApiSite) {
  const intent = JSON.parse(JSON.stringify(await applyObject.prepare(site.site, manifestOf(service))));
  const { intent: performed = intent } = (await applyObject.perform(site.site, intent, never)) ?? {};
  assert.equal((await applyObject.verify(site.site, intent)).outcome, 'met');
  return performed;
}

test('the undo deletes an object that the action created; a second undo finds nothing to do', () =>
  apiSite(async (site) => {
    const intent = await applied(site);
    assert.equal((await applyObject.undo(site.site, intent)).state, 'undone');
    assert.equal(await thereIn(site), undefined);
    assert.equal((await applyObject.undo(site.site, intent)).state, 'not-needed');
    assert.equal(applyObject.byHand(intent), `kubectl delete service ${at.name} -n default`);
  }));

test('an object that existed before the run is never deleted', () =>
  apiSite(async (site) => {
    await site.put({ ...service, metadata: { ...service.metadata, namespace: 'default' } });
    const prepared = applyObject.prepare(site.site, manifestOf(service)).catch((error: unknown) => error);
    const conflict = await prepared;
    const intent = conflict instanceof ApiError ? { resource: service, existed: true } : conflict;
    assert.equal((await applyObject.undo(site.site, intent as never)).state, 'kept');
    assert.ok(await thereIn(site));
    assert.equal(applyObject.byHand(intent as never), `kubectl get service ${at.name} -n default`);
  }));

test('an object that a later run created is not deleted for an earlier one, nor is one of an unknown creator', () =>
  apiSite(async (site) => {
    const earlier = await applied(site);
    await site.cluster.delete('Service', at);
    const { uid: _, ...unknown } = await applied(site);
    const { state, because } = await applyObject.undo(site.site, earlier);
    assert.deepEqual([state, because], ['kept', 'another run created it again meanwhile']);
    assert.equal((await applyObject.undo(site.site, unknown)).state, 'failed');
    assert.ok(await thereIn(site));
  }));

test('an object that somebody else created meanwhile is kept and reported', () =>
  apiSite(async (site) => {
    const intent = await applied(site);
    await site.cluster.delete('Service', at);
    await site.cluster.create({ ...service, metadata: { ...service.metadata, namespace: 'default' } });
    const { state, because } = await applyObject.undo(site.site, intent);
    assert.deepEqual([state, because], ['kept', 'somebody else created it again meanwhile']);
    assert.ok(await thereIn(site));
  }));
