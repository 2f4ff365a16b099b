import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodePool } from '../../../src/cluster/autoscaler.ts';
import { poolBudgets } from '../../../src/validation/checks/pool-budgets.ts';
import { validationSchema } from '../../../src/validation/settings.ts';
import { apiSite } from '../../support/api-site.ts';
import { podOn } from '../../support/objects.ts';

const settings = validationSchema.parse({ manifests: 'none' });

const pool = (budgets: readonly object[] | undefined) =>
  ({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'general-purpose-arm' },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }],
        },
      },
      ...(budgets && { disruption: { consolidateAfter: '1h', consolidationPolicy: 'WhenEmpty', budgets } }),
    },
  }) as unknown as NodePool;

test('a pool whose budgets let all nodes of the application go at once is told, with the field; one a time is fine', () =>
  apiSite(async (at) => {
    await at.put(podOn('a'), podOn('b'));
    for (const [budgets, severity] of [
      [[{ nodes: '100%' }], 'warning'],
      [[{ nodes: '5' }], 'warning'],
      [[{ nodes: '1' }], 'info'],
      [[{ nodes: '100%', reasons: ['Empty'] }, { nodes: '1' }], 'info'],
    ] as const) {
      await at.put(pool(budgets));
      const run = { site: at.site, settings } as unknown as Parameters<typeof poolBudgets.look>[0];
      const found = await poolBudgets.look(run);
      assert.equal(found.severity, severity, JSON.stringify(budgets));
      if (severity === 'warning') assert.deepEqual(found.rules, ['pool-budgets']);
      await at.cluster.delete('NodePool', { name: 'general-purpose-arm' });
    }
  }));
