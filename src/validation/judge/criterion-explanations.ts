import type { Explanation } from '../scenarios/scenario.ts';

/** By number; the text of each is the specification's own (4.2). */
export const criterionExplanations: readonly Explanation[] = [
  {
    how: 'Decided by scale-up and scale-down: no bad sample of the downtime log in their windows.',
    fails: ['no readiness probe: traffic comes too early', 'no preStop: scaling down cuts requests'],
    measured: [
      'bad samples: another status, an error, or slower than the limit; a second that nobody saw leaves it open',
    ],
  },
  {
    how: 'Decided by node-drain.',
    fails: ['no PodDisruptionBudget, or all replicas on the node that is drained'],
    measured: ['bad samples in its window'],
  },
  {
    how: 'Decided by instance-kill, and about traffic: the new node and the new pod take longer by nature.',
    fails: ['all replicas on the instance that crashed', 'health checks of the load balancer that take too long'],
    measured: ['met when the longest that the outage can have been is at most 60 s, not met when the shortest is more'],
  },
  {
    how: 'Decided by the whole run: the autoscaler disrupts more nodes at once than the budget allows, or ready endpoints fall under minAvailable where no scenario means them to.',
    fails: ['budgets that are not kept', 'pods that are deleted instead of evicted'],
    measured: ['nodes tainted or leaving at once', 'ready endpoints, at every change that the watch saw'],
  },
  {
    how: 'Decided by disruption-budget: exactly one node replaced, and never two at once.',
    fails: ['a budget that is ignored', 'other nodes that drift at the same time'],
    measured: ['NodeClaims that went, and how many were being disrupted at once'],
  },
  {
    how: 'Decided by the whole run: every NodeClaim that went is attributed to what this run did, or to its cause.',
    fails: ['expiry, an AMI release, interruption, consolidation of a node that was in use'],
    measured: ['each NodeClaim that came or went, with its reason'],
  },
];
