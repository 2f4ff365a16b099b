import type { Explanation } from '../scenarios/scenario.ts';

/** The explanations of the criteria of 4.2, in the order of their numbers. */
export const criterionExplanations: readonly Explanation[] = [
  {
    how: 'Decided by scale-up and scale-down: the downtime log has no bad sample in their windows.',
    fails: ['no readiness probe: pods get traffic too early', 'no preStop: scaling down cuts requests'],
    measured: [
      'bad samples: another status, an error, or slower than the limit; an unknown second makes it inconclusive',
    ],
  },
  {
    how: 'Decided by node-drain.',
    fails: ['no PodDisruptionBudget, or all replicas on the node that is drained'],
    measured: ['bad samples in its window'],
  },
  {
    how: 'Decided by instance-kill, by its downtime: the new node and the new pod may take longer.',
    fails: ['all replicas on the instance that crashed', 'health checks of the load balancer that take too long'],
    measured: ['met if the upper bound of the downtime is at most 60 s, not met if the lower bound is more'],
  },
  {
    how: 'Decided by the whole run. Not met if the autoscaler disrupts more nodes at once than the budget allows, or if ready endpoints fall below minAvailable where no scenario expects it.',
    fails: ['budgets that are ignored', 'pods that are deleted instead of evicted'],
    measured: ['nodes that are tainted or being deleted at once', 'ready endpoints, at every change'],
  },
  {
    how: 'Decided by disruption-budget: exactly one node is replaced, and never two at once.',
    fails: ['a budget that is ignored', 'other nodes that drift at the same time'],
    measured: ['NodeClaims that were deleted, and how many were disrupted at once'],
  },
  {
    how: 'Decided by the whole run: every NodeClaim that was deleted is attributed to an action of this run or to another cause.',
    fails: ['expiry, an AMI release, interruption, consolidation of a node that was in use'],
    measured: ['each NodeClaim that was created or deleted, with its reason'],
  },
];
