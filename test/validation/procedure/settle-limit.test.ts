import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Workload } from '../../../src/cluster/workload.ts';
import { settleLimitSeconds } from '../../../src/validation/procedure/settle-limit.ts';

const withGrace = (terminationGracePeriodSeconds?: number) =>
  ({ spec: { template: { spec: { containers: [], terminationGracePeriodSeconds } } } }) as unknown as Workload;
const limit = (grace?: number, appReplicas = 2) =>
  settleLimitSeconds({ settleWithinSeconds: 120, baseline: { appReplicas } }, { workload: withGrace(grace) });

test('pods that may take longer than 40 s to end have that longer for each replica, others no longer', () => {
  assert.equal(limit(), 120);
  assert.equal(limit(40), 120);
  assert.equal(limit(220, 1), 300);
  assert.equal(limit(220), 480);
});
