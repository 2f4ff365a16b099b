import { test } from 'node:test';
import { nodePools } from '../../../src/validation/checks/node-pools.ts';
import { apiSite } from '../../support/api-site.ts';
import { fine, wrong } from '../../support/checked.ts';

const pool = (conditions: readonly object[], annotations: object = {}) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general-purpose-arm', annotations },
  spec: {
    template: { spec: { nodeClassRef: { group: 'g', kind: 'K', name: 'n' }, requirements: [] } },
  },
  status: { conditions },
});

const ready = { type: 'Ready', status: 'True', observedGeneration: 1 };

const unknown = { type: 'NodeRegistrationHealthy', status: 'Unknown', reason: 'AwaitingReconciliation' };

test('every NodePool must be Ready for its generation; NodeRegistrationHealthy may be Unknown, not False', async () => {
  const verdicts: readonly (readonly [object, RegExp])[] = [
    [pool([]), /general-purpose-arm has Ready absent/],
    [
      pool([{ type: 'Ready', status: 'False', message: 'NodeClassReady=False' }]),
      /has Ready False NodeClassReady=False/,
    ],
    [pool([{ ...ready, observedGeneration: 0 }]), /Ready is of generation 0, and 1 is there/],
    [pool([ready, { ...unknown, status: 'False', message: 'no kubelet' }]), /nodes of .* do not register: no kubelet/],
    [pool([ready, { type: 'ValidationSucceeded', status: 'False', message: 'bad' }]), /is not valid: bad/],
    [pool([ready], { 'karpenter.sh/nodepool-hash-version': 'v4' }), /hash-version v4, and this procedure knows v3/],
  ];
  for (const [object, observed] of verdicts)
    await apiSite(async (at) => {
      await at.put(object);
      await wrong(nodePools, at, /NodePool general-purpose-arm/, observed);
    });
  await apiSite(async (at) => {
    await fine(nodePools, at, /0 NodePools/);
    await wrong(nodePools, at, /NodePools/, /there is no NodePool general-purpose-arm/, { manifests: 'none' });
    await at.put(pool([ready, unknown], { 'karpenter.sh/nodepool-hash-version': 'v3' }));
    await fine(nodePools, at, /^1 NodePool, none in trouble$/);
  });
});
