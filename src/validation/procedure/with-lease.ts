import { heldByAnother } from '../checks/another-run.ts';
import { takeLease } from '../lease/lease.ts';
import { leaseNamespaceOf } from '../settings.ts';
import type { OpenRun } from './order.ts';

/**
 * Holds the lease while the phases run, so that no other run acts at the same time; it is released after everything is undone. Where
 * another run holds it, that is recorded as a finding and no phase runs. A lost lease ends the run.
 */
export async function withLease(
  { site, settings, run, journal, interruption: { signal, fail } }: OpenRun,
  phases: () => Promise<void>,
): Promise<void> {
  const namespace = leaseNamespaceOf(settings);
  const request = { cluster: site.cluster, clock: site.host.clock, namespace, holder: run.id, signal };
  const lease = await takeLease(request, fail);
  if ('holder' in lease) {
    journal.record({ type: 'check-finished', mandatory: true, finding: heldByAnother(lease) });
    return;
  }
  try {
    await phases();
  } finally {
    await lease.release();
  }
}
