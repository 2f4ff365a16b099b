import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markDrift } from '../../../src/validation/actions/mark-drift.ts';
import { type ApiSite, apiSite } from '../../support/api-site.ts';

const name = 'general-purpose-arm-x';
const hash = 'karpenter.sh/nodepool-hash';
const version = 'karpenter.sh/nodepool-hash-version';
const never = new AbortController().signal;
const conditionsOf = (...types: readonly string[]) =>
  types.map((type) => ({ type, status: 'True', reason: type === 'Drifted' ? 'NodePoolDrifted' : type }));

const claim = (over: { annotations?: object; conditions?: object[] } = {}): object => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name, annotations: over.annotations ?? { [hash]: '4711', [version]: 'v3' } },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  status: { nodeName: 'node-x', conditions: over.conditions ?? conditionsOf('Initialized') },
});

const hashNow = async ({ cluster }: ApiSite): Promise<string | undefined> =>
  (await cluster.get('NodeClaim', { name }))?.metadata.annotations?.[hash];
const setHash = ({ cluster }: ApiSite, value: string) =>
  cluster.patch('NodeClaim', { name }, { type: 'merge', value: { metadata: { annotations: { [hash]: value } } } });
const setConditions = ({ cluster }: ApiSite, ...types: readonly string[]) =>
  cluster.patch(
    'NodeClaim',
    { name },
    { type: 'merge', value: { status: { conditions: conditionsOf(...types) } } },
    { subresource: 'status' },
  );

async function marked(at: ApiSite) {
  await at.put(claim());
  const intent = JSON.parse(JSON.stringify(await markDrift.prepare(at.site, { nodeClaim: name })));
  await markDrift.perform(at.site, intent, never);
  return intent;
}

test('the hash of one NodeClaim is changed, and restored by the undo', () =>
  apiSite(async (at) => {
    const intent = await marked(at);
    assert.equal(await hashNow(at), 'holdfast-drift-test');
    assert.deepEqual(markDrift.nodes?.(intent), ['node-x']);
    assert.equal((await markDrift.undo(at.site, intent)).state, 'undone');
    assert.equal(await hashNow(at), '4711');
    assert.equal((await markDrift.undo(at.site, intent)).state, 'not-needed', 'a second time');
  }));

test('the NodeClaim is Drifted within 30 s, otherwise nothing was tested', () =>
  apiSite(async (at) => {
    const intent = await marked(at);
    const began = at.it.clock.monotonicSeconds();
    assert.equal((await markDrift.verify(at.site, intent)).outcome, 'inconclusive');
    assert.ok(at.it.clock.monotonicSeconds() - began >= 30);
    await setConditions(at, 'Initialized', 'Drifted');
    const seen = await markDrift.verify(at.site, intent);
    assert.deepEqual([seen.outcome, seen.observed], ['met', 'Drifted: NodePoolDrifted']);
  }));

test('the wait for Drifted goes on when the API server was away; an error at its end is thrown', () =>
  apiSite(async (at) => {
    const intent = await marked(at);
    at.it.fault = () => ({ kind: 'refused' });
    const verified = markDrift.verify(at.site, intent);
    await at.it.clock.sleep(20);
    await setConditions(at, 'Initialized', 'Drifted');
    at.it.fault = () => undefined;
    assert.equal((await verified).outcome, 'met');
    at.it.fault = () => ({ kind: 'refused' });
    await assert.rejects(markDrift.verify(at.site, intent), /connection refused/);
  }));

test('a NodeClaim that cannot be marked is refused, with the reason', async () => {
  const reasons = [
    [claim({ conditions: [] }), /not Initialized/],
    [claim({ conditions: conditionsOf('Initialized', 'Drifted') }), /drifted already: NodePoolDrifted/],
    [claim({ annotations: { [hash]: '4711', [version]: 'v4' } }), /hash has version v4/],
    [claim({ annotations: { [version]: 'v3' } }), /hash has version v3/],
  ] as const;
  for (const [object, reason] of reasons)
    await apiSite(async (at) => {
      await at.put(object);
      await assert.rejects(markDrift.prepare(at.site, { nodeClaim: name }), reason);
    });
  await apiSite((at) => assert.rejects(markDrift.prepare(at.site, { nodeClaim: name }), /there is none/));
});

test('a NodeClaim whose status changes meanwhile is still marked; one whose hash changed is not', () =>
  apiSite(async (at) => {
    await at.put(claim());
    const intent = await markDrift.prepare(at.site, { nodeClaim: name });
    let raced = false;
    at.it.fault = ({ method }) => {
      if (method !== 'PATCH' || raced) return undefined;
      raced = true;
      return { kind: 'answer', status: 409, text: JSON.stringify(conflict) };
    };
    await markDrift.perform(at.site, intent, never);
    assert.equal(await hashNow(at), 'holdfast-drift-test');
    await setHash(at, '4711');
    const again = await markDrift.prepare(at.site, { nodeClaim: name });
    await setHash(at, '4712');
    await assert.rejects(markDrift.perform(at.site, again, never), /it is not as it was/);
    assert.equal(await hashNow(at), '4712');
  }));

const conflict = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'Conflict',
  code: 409,
  message: 'changed',
};

test('the write carries uid and resourceVersion', () =>
  apiSite(async (at) => {
    await marked(at);
    const written = at.it.requests.find(({ method }) => method === 'PATCH');
    const { metadata } = JSON.parse(written?.body ?? '{}');
    assert.ok(metadata.uid);
    assert.ok(metadata.resourceVersion);
  }));

test('a NodeClaim that is gone or being deleted needs no undo', () =>
  apiSite(async (at) => {
    const intent = await marked(at);
    await at.cluster.delete('NodeClaim', { name });
    assert.equal((await markDrift.undo(at.site, intent)).state, 'not-needed');
    await at.put(claim({ annotations: { [hash]: 'holdfast-drift-test', [version]: 'v3' } }));
    assert.equal((await markDrift.undo(at.site, intent)).state, 'not-needed', 'another one of that name');
    assert.equal(await hashNow(at), 'holdfast-drift-test');
  }));

test('a hash that somebody else set is kept and reported', () =>
  apiSite(async (at) => {
    const intent = await marked(at);
    await setHash(at, '4712');
    const end = await markDrift.undo(at.site, intent);
    assert.deepEqual([end.state, await hashNow(at)], ['kept', '4712']);
    assert.match(end.because, /set its hash to 4712 meanwhile; before the run it was 4711/);
  }));

test('the undo by hand is one kubectl command', () =>
  apiSite(async (at) => {
    assert.equal(
      markDrift.byHand(await marked(at)),
      'kubectl annotate nodeclaim general-purpose-arm-x --overwrite karpenter.sh/nodepool-hash=4711',
    );
  }));
