import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deletePod } from '../../../src/validation/actions/delete-pod.ts';
import { apiSite } from '../../support/api-site.ts';
import { podOn } from '../../support/objects.ts';

const never = new AbortController().signal;
const at = { namespace: 'default', name: 'web-1' };

test('one pod is deleted by its uid, and its controller creates another one', () =>
  apiSite(async ({ put, site, cluster }) => {
    await put(podOn('a', { name: at.name }));
    const { uid = '' } = (await cluster.get('Pod', at))?.metadata ?? {};
    const intent = await deletePod.prepare(site, { ...at, uid });
    await assert.rejects(deletePod.perform(site, { ...intent, uid: 'another' }, never), /409/);
    assert.ok(await cluster.get('Pod', at));
    await deletePod.perform(site, intent, never);
    assert.equal((await deletePod.verify(site, intent)).outcome, 'met');
    assert.equal((await deletePod.undo(site, intent)).state, 'not-needed');
    await deletePod.perform(site, intent, never);
  }));
