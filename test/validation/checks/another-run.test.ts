import { test } from 'node:test';
import { anotherRun } from '../../../src/validation/checks/another-run.ts';
import { apiSite } from '../../support/api-site.ts';
import { fine, wrong } from '../../support/checked.ts';

test('no other run may hold the lease', () =>
  apiSite(async (at) => {
    await fine(anotherRun, at, /nobody holds it/);
    const renewTime = new Date(at.it.clock.wallAt()).toISOString();
    await at.put({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'default', name: 'holdfast' },
      spec: { holderIdentity: 'somebody', renewTime, leaseDurationSeconds: 60 },
    });
    await wrong(anotherRun, at, /Lease default\/holdfast/, /somebody holds it, renewed 2026-11-20T10/);
  }));
