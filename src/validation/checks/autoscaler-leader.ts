import { readable } from '../../cluster/readable.ts';
import { asExpected, type Check, notAsExpected } from './check.ts';

/** Karpenter's LeaderElectionID (operator.go). */
const name = 'karpenter-leader-election';
/** Twice the lease duration of client-go, 15 s. */
const staleAfterSeconds = 30;

/**
 * A Karpenter pod leads: without a leader ready pods do nothing. Without leader election there is no such Lease, and
 * that is accepted.
 */
export const autoscalerLeader: Check = {
  name: 'autoscaler-leader',
  mandatory: true,
  ofKarpenter: true,
  async look({ site: { cluster, host }, settings: { autoscaler } }) {
    const { namespace } = autoscaler;
    const assertion = {
      id: 'autoscaler-leader',
      subject: `Lease ${namespace}/${name}`,
      expected: 'an autoscaler pod leads',
    };
    const lease = await readable(cluster.get('Lease', { namespace, name }));
    const renewedAt = Date.parse(lease?.spec.renewTime ?? '');
    if (Number.isNaN(renewedAt))
      return asExpected(assertion, 'no such Lease: it elects no leader, or it may not be read');
    const ageSeconds = Math.round((host.clock.wallAt() - renewedAt) / 1000);
    const observed = `${lease?.spec.holderIdentity ?? 'nobody'} renewed it ${ageSeconds} s ago`;
    if (ageSeconds <= staleAfterSeconds) return asExpected(assertion, observed);
    return notAsExpected(
      assertion,
      observed,
      'see the logs of the autoscaler pods: they cannot reach the API server, or hang',
    );
  },
};
