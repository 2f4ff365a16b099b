import { test } from 'node:test';
import { autoscalerLeader } from '../../../src/validation/checks/autoscaler-leader.ts';
import { apiSite } from '../../support/api-site.ts';
import { fine, wrong } from '../../support/checked.ts';

test('an autoscaler pod must hold a fresh leader lease', () =>
  apiSite(async (at) => {
    await fine(autoscalerLeader, at, /no such Lease/);
    const renewTime = new Date(at.it.clock.wallAt()).toISOString();
    await at.put({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'kube-system', name: 'karpenter-leader-election' },
      spec: { holderIdentity: 'karpenter-1', renewTime, leaseDurationSeconds: 15 },
    });
    await fine(autoscalerLeader, at, /karpenter-1 renewed it 0 s ago/);
    await at.it.clock.sleep(40);
    await wrong(autoscalerLeader, at, /karpenter-leader-election/, /karpenter-1 renewed it 40 s ago/);
  }));
