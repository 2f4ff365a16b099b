import type { Finding } from '../finding.ts';
import { leaseName } from '../lease/lease-object.ts';
import { type OtherHolder, otherHolders } from '../lease/other-holders.ts';
import { type Assertion, asExpected, type Check, notAsExpected } from './check.ts';

/** Nobody else is running. Two runs at once would count each other's disruptions: exit code 6 (contract section 2). */
export const anotherRun: Check = {
  // Not the finding's id, which exit code 6 goes by: an API server that does not answer is not another run.
  name: 'lease',
  mandatory: true,
  async look({ site: { cluster, host }, settings: { namespace }, holder }) {
    const [other] = await otherHolders({ cluster, clock: host.clock, namespace, holder });
    return other === undefined ? asExpected(lookedAt(namespace), 'nobody holds it') : heldByAnother(other);
  },
};

/** Somebody else holds the lease. */
export function heldByAnother({ holder, namespace, renewedAt }: OtherHolder): Finding {
  return notAsExpected(
    lookedAt(namespace),
    `${holder} holds it${renewedAt === '' ? '' : `, renewed ${renewedAt}`}`,
    'wait until that run has ended; a run that was killed loses its lease within a minute',
  );
}

const lookedAt = (namespace: string): Assertion => ({
  id: 'another-run',
  subject: `Lease ${namespace}/${leaseName}`,
  expected: 'nobody else running',
});
