import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeClaims } from '../../../src/validation/checks/node-claims.ts';
import { apiSite } from '../../support/api-site.ts';
import { checkedRun, fine, wrong } from '../../support/checked.ts';

const claim = (name: string, conditions: readonly object[], expireAfter = 'Never') => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: {
    name,
    labels: { 'karpenter.sh/nodepool': 'general-purpose-arm' },
    finalizers: ['karpenter.sh/termination'],
  },
  spec: { nodeClassRef: { group: 'g', kind: 'K', name: 'n' }, requirements: [], expireAfter },
  status: { conditions },
});

const registered = { type: 'Registered', status: 'True' };

test('no NodeClaim may be drifted, unregistered, being deleted, or expiring during the run', () =>
  apiSite(async (at) => {
    await at.put(claim('good', [registered], '720h'), claim('other', [registered]));
    await at.cluster.patch('NodeClaim', { name: 'other' }, { type: 'merge', value: { metadata: { labels: null } } });
    await fine(nodeClaims, at, /^1 NodeClaim, none in trouble$/);
    await at.put(claim('drifted', [registered, { type: 'Drifted', status: 'True', reason: 'AMIDrift' }]));
    await wrong(nodeClaims, at, /NodeClaims of general-purpose-arm/, /^drifted is drifted \(AMIDrift\)$/);
    await at.put(claim('stuck', []), claim('brief', [registered], '10m'), claim('leaving', [registered]));
    await at.cluster.delete('NodeClaim', { name: 'leaving' });
    await wrong(nodeClaims, at, /leaving is being deleted/, /brief expires in 10 min/);
    await at.it.clock.sleep(1000);
    await wrong(nodeClaims, at, /stuck/, /stuck has not registered for 1000 s/);
  }));

test('a NodeClaim may take a quarter of an hour to register', () =>
  apiSite(async (at) => {
    await at.put(claim('fresh', []), claim('old', [registered]));
    await fine(nodeClaims, at, /2 NodeClaims/);
    await at.it.clock.sleep(901);
    await wrong(nodeClaims, at, /NodeClaims/, /^fresh has not registered for 901 s$/);
  }));

test('the field that may be why is that of what is done to the NodeClaim: its expiry, or the consolidation; of a deletion by somebody none', () =>
  apiSite(async (at) => {
    const reason = (name: string) => [registered, { type: 'DisruptionReason', status: 'True', reason: name }];
    const rulesOf = async (one: ReturnType<typeof claim>) => {
      const { name } = one.metadata;
      await at.put(one);
      if (name.startsWith('deleted')) await at.cluster.delete('NodeClaim', { name });
      const { rules } = await nodeClaims.look(checkedRun(at));
      await at.cluster.patch('NodeClaim', { name }, { type: 'merge', value: { metadata: { labels: null } } });
      return rules;
    };
    assert.deepEqual(await rulesOf(claim('brief', [registered], '10m')), ['node-claims']);
    assert.deepEqual(await rulesOf(claim('deleted-empty', reason('Empty'))), ['consolidation-policy']);
    assert.deepEqual(await rulesOf(claim('deleted-drifted', reason('Drifted'))), []);
    assert.deepEqual(await rulesOf(claim('deleted-by-hand', [registered])), []);
  }));
