import type { Finding } from '../finding.ts';
import { leaseName } from '../lease/lease-object.ts';
import { type OtherHolder, otherHolders } from '../lease/other-holders.ts';
import { leaseNamespaceOf } from '../settings.ts';
import { type Assertion, asExpected, type Check, notAsExpected } from './check.ts';

/**
 * No other run holds the lease: two runs at once would measure each other's disruptions. Ends with exit code 6
 * (docs/contract.md, "Exit codes").
 */
export const anotherRun: Check = {
  // Differs from the id of the finding, which decides exit code 6: an API server that does not answer is not another
  // run.
  name: 'lease',
  mandatory: true,
  async look({ site: { cluster, host }, settings, holder }) {
    const namespace = leaseNamespaceOf(settings);
    const [other] = await otherHolders({ cluster, clock: host.clock, namespace, holder });
    return other === undefined ? asExpected(leaseAssertion(namespace), 'nobody holds it') : heldByAnother(other);
  },
};

/** The finding that another run holds the lease. */
export function heldByAnother({ holder, namespace, renewedAt }: OtherHolder): Finding {
  return notAsExpected(
    leaseAssertion(namespace),
    `${holder} holds it${renewedAt === '' ? '' : `, renewed ${renewedAt}`}`,
    'wait until that run has ended; a run that was killed loses its lease within a minute',
  );
}

const leaseAssertion = (namespace: string): Assertion => ({
  id: 'another-run',
  subject: `Lease ${namespace}/${leaseName}`,
  expected: 'no other run under way',
});
