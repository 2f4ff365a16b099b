/** What a scenario or a criterion is about, for people: facts section 4 in a few sentences. */
export interface Explanation {
  readonly how: string;
  /** How it goes wrong in practice. */
  readonly fails: readonly string[];
  readonly measured: readonly string[];
}

/** By the scenario's name, in the specification's order. */
export const scenarioExplanations: Readonly<Record<string, Explanation>> = {
  'scale-up': {
    how: 'Sets 5 replicas, once with room on the nodes and once without, so that a new node has to come.',
    fails: [
      'Without a readiness probe a container gets traffic as soon as it has started: refused connections, or answers that come late.',
      'Pods wait for a node: limits of the pool, no instance of category r and generation > 6 in stock, an image that is not built for arm64.',
      'Without resource requests all pods fit on one node, and no node is ever asked for.',
    ],
    measured: ['downtime', 'each new pod from its creation to Ready', 'new nodes, from NodeClaim to Initialized'],
  },
  'scale-down': {
    how: 'Sets 1 replica and looks at how the others leave.',
    fails: [
      'A pod is told to stop at the moment when the news of its end begins to spread. Without a preStop that outlasts the 4 to 5 s which ingress-nginx needs, requests still come to a pod that is gone.',
      'A HorizontalPodAutoscaler or a GitOps controller scales back.',
    ],
    measured: ['downtime', 'whether each pod that left had a preStop that is long enough'],
  },
  'single-replica': {
    how: 'Sets 1 replica and deletes the pod, to show what two replicas are for.',
    fails: [
      'The outage lasts as long as the new pod takes to be ready, and the ingress controller to hear of it: 1 to 5 s with the image on the disk, 10 to 30 s more when it has to be pulled.',
      'A readiness probe with the usual period of 10 s makes it 5 to 15 s.',
    ],
    measured: ['the outage, which is expected', 'deletion to Ready of the new pod'],
  },
  'node-drain': {
    how: 'Drains the node that holds most of the application’s pods, by kubectl’s own rules: cordon, evict, wait.',
    fails: [
      'Both replicas are on that node, and the second one goes before the first is ready again.',
      'A budget that lets no pod go: the drain waits for ever. The refusal names the budget.',
      'The ingress controller, CoreDNS or the autoscaler lives there too; such a node is not chosen.',
    ],
    measured: ['downtime', 'eviction to Ready of the pods that moved', 'a new node, if one was needed'],
  },
  'instance-kill': {
    how: 'Ends the instance under a node through the cloud’s API, without a word to Kubernetes. Nothing undoes it.',
    fails: [
      'Nobody knows for 40 to 50 s (node-monitor-grace-period) that the node is dead. Until then every other new connection waits 5 s for it.',
      'Pods stay where they are for 300 s unless the node is deleted; a new node takes another 45 to 120 s.',
      'With an interruption queue Karpenter hears of it within seconds. Without spread all replicas were there.',
    ],
    measured: [
      'traffic, which is what the 60 s are about',
      'the replacement node Ready',
      'the replacement pod Ready',
      'when NotReady was seen',
    ],
  },
  'disruption-budget': {
    how: 'Sets the pool’s budget to "1" and marks one NodeClaim as drifted by its hash annotation, so that exactly one node is to be replaced.',
    fails: [
      'More than one node goes at once, because percentages are rounded up, a schedule or a reason overrides, or the budget is not kept.',
      'Nothing happens: a node that is not ready uses the budget up, and no event says so.',
      'A PodDisruptionBudget stops it half-way, with the node tainted.',
    ],
    measured: [
      'nodes replaced, and how many at once',
      'downtime',
      'whether budget and annotation are back to the byte',
    ],
  },
  consolidation: {
    how: 'Sets consolidateAfter to 2m and 1 replica, and waits for the nodes that are empty by then.',
    fails: [
      'Other pods keep every node busy; each pod that comes or goes starts the two minutes anew.',
      'A node that is not empty is taken: the one with the last replica has to stay untouched.',
      'consolidateAfter is not put back, and production goes on being aggressive.',
    ],
    measured: ['empty nodes removed', 'whether the node with the replica is the same one', 'downtime'],
  },
  load: {
    how: 'Sends 20,000 requests, 500 at a time, on sockets of its own; every transport error is counted by its kind.',
    fails: [
      'Pods crash or are killed for memory, the ingress controller runs out of connections, a rate limit answers 429.',
      'The client is what fails: ports, file descriptors, a NAT gateway. Those errors are told apart.',
    ],
    measured: [
      'every status',
      'restarts',
      'CPU: at most 90 % of the limit, and back near the baseline within a minute',
      'latency',
    ],
  },
  'ingress-controller-failure': {
    how: 'Deletes one pod of the ingress controller.',
    fails: [
      'With one replica nobody answers until the new one is ready.',
      'ingress-nginx closes its sockets at once (--shutdown-grace-period is 0), before kube-proxy or the load balancer has heard of it: refused connections.',
      'Connections that were kept open break; new ones do not. Both are probed.',
    ],
    measured: ['downtime on new connections', 'what kept connections saw'],
  },
  'dns-failure': {
    how: 'Deletes the DNS record, once with external-dns running and once with it paused, and puts it back.',
    fails: [
      'Resolvers keep the record for its TTL, so that nothing seems to happen; then they keep "no such name" for the zone’s negative TTL, 900 s in Route 53 unless set, also when the record is back.',
      'Old versions of external-dns never make the record again when its TXT record is left behind.',
    ],
    measured: [
      'when the authoritative server, the resolver and a client saw it gone, and back',
      'how long clients failed after the record was back',
    ],
  },
};

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
