/** How long something takes: seconds, drawn from a uniform distribution between two bounds. */
export interface Delay {
  readonly seconds: readonly [minimum: number, maximum: number];
  /** Where the bounds come from. */
  readonly source: string;
}
export type DelayName = keyof typeof delays;
export type Delays = { readonly [Name in DelayName]: Delay };

/** Every delay of the embedded cluster. `docs/fidelity.md` shows the same table; a test compares the two. */
export const delays = {
  controllerReaction: {
    seconds: [0.005, 0.05],
    source: 'kube-controller-manager: watch event, work queue and one request; tens of milliseconds on an idle cluster',
  },
  podDeletion: {
    seconds: [0.06, 0.06],
    source:
      'kube-controller-manager: surplus pods; measured, the first EndpointSlice without them had 1 or 2 of 2 to 4 in 11 of 12',
  },
  jobBatch: {
    seconds: [1, 1],
    source:
      'kube-controller-manager: what happens to the pods of a Job is gathered for 1 s (job_controller.go, syncJobBatchPeriod)',
  },
  controllerRetry: {
    seconds: [1, 1],
    source: 'client-go workqueue: exponential back-off from 5 ms, about 1 s after a few refusals',
  },
  scheduling: { seconds: [0.01, 0.1], source: 'kube-scheduler: scheduling_attempt_duration, p50 to p99' },
  schedulingRetry: {
    seconds: [1, 1],
    source: 'kube-scheduler: podInitialBackoffSeconds 1 s when a cluster event makes a pod schedulable again',
  },
  kubeletReaction: { seconds: [0.01, 0.1], source: 'kubelet: watch event to pod worker' },
  volumeRefresh: {
    seconds: [0.1, 1.5],
    source:
      'kubelet: from the change of a pod to its downward API volumes, by the loops of the volume manager (100 ms each) and a sync of the pod',
  },
  podSandbox: { seconds: [0.3, 0.8], source: 'containerd: sandbox, and an address from the warm pool of the VPC CNI' },
  imagePull: {
    seconds: [10, 20],
    source: 'docs/facts/kubernetes.md, "The start of a pod": 10 to 30 s on a new node; this image is small',
  },
  containerStart: { seconds: [0.1, 0.3], source: 'containerd: create and start of one container' },
  kubeletRelist: { seconds: [0.1, 1], source: 'kubelet PLEG: relist every 1 s' },
  applicationListens: { seconds: [0.02, 0.08], source: 'nginx: start of the master to the listening socket' },
  systemListens: { seconds: [1, 3], source: 'ingress-nginx, external-dns, Karpenter: start to the first sync' },
  nginxQuits: {
    seconds: [0.05, 0.2],
    source: 'nginx: SIGQUIT closes the listeners at once and ends after the last request',
  },
  applicationQuits: { seconds: [0.1, 1], source: 'a program that ends on SIGTERM, as processQuits' },
  batchRuns: {
    seconds: [10, 10],
    source:
      'assumed: how long the program of a pod that is not always restarted works, where its command does not say it; it succeeds',
  },
  initRuns: {
    seconds: [1, 1],
    source: 'assumed: how long the program of an init container works, where its command does not say it; it succeeds',
  },
  processQuits: { seconds: [0.1, 1], source: 'Go programs: SIGTERM to exit' },
  sandboxEnds: {
    seconds: [0.2, 0.4],
    source: 'docs/facts/ingress-nginx.md, "Tries and time limits": a pod’s address refuses so long after its end',
  },
  podCleanup: { seconds: [0.2, 1.2], source: 'kubelet: relist every 1 s, unmount, last status, delete' },
  volumeCreate: {
    seconds: [1.5, 4],
    source: 'aws-ebs-csi-driver (pkg/cloud/cloud.go): median and p99 of the creation of a volume',
  },
  volumeAttach: {
    seconds: [1, 4],
    source: 'aws-ebs-csi-driver (pkg/cloud/cloud.go): most attach operations finish within 1 to 4 s',
  },
  volumeDetach: {
    seconds: [1, 4],
    source: 'aws-ebs-csi-driver (pkg/cloud/cloud.go): most detach operations finish within 1 to 4 s',
  },
  nodeStatus: {
    seconds: [0.1, 10],
    source: 'kubelet: volumesInUse goes with the node’s status, --node-status-update-frequency 10s',
  },
  volumeMount: {
    seconds: [0.5, 2],
    source: 'assumed: kubelet asks again whether a volume is attached after 0.5 s, 1 s …, and mounts its file system',
  },
  nodeLease: { seconds: [10, 10], source: 'kubelet: lease renewed every 10 s (nodeLeaseDurationSeconds 40)' },
  nodeMonitor: { seconds: [5, 5], source: 'kube-controller-manager: --node-monitor-period 5 s' },
  nodeMonitorGrace: {
    seconds: [50, 50],
    source: 'kube-controller-manager: --node-monitor-grace-period 50 s since Kubernetes 1.32 (kubernetes#126287)',
  },
  cloudNodeReaction: {
    seconds: [0.2, 1],
    source: 'aws-cloud-controller-manager: one DescribeInstances for a new Node',
  },
  horizontalSync: {
    seconds: [15, 15],
    source: 'kube-controller-manager: --horizontal-pod-autoscaler-sync-period 15s, the first one too',
  },
  metricsScrape: {
    seconds: [15, 15],
    source: 'metrics-server: --metric-resolution 15s, the average between two scrapes',
  },
  namespaceDeletion: {
    seconds: [5, 5],
    source: 'kube-controller-manager: a deleted namespace is left alone for 5 s (namespaceDeletionGracePeriod)',
  },
  namespaceContents: {
    seconds: [1.3, 1.6],
    source: 'kube-controller-manager: asks every resource for what is in the namespace; measured 1.4 to 1.7 s',
  },
  podGc: { seconds: [20, 20], source: 'pod garbage collector: every 20 s (gc_controller.go)' },
  podGcQuarantine: {
    seconds: [40, 40],
    source: 'pod garbage collector: a node has to be missing for 40 s (quarantineTime)',
  },
  eventExpiry: { seconds: [60, 60], source: 'kube-apiserver: --event-ttl 1h; checked once a minute here' },
  endpointSlice: {
    seconds: [0.01, 0.06],
    source: 'EndpointSlice controller: --endpointslice-updates-batch-period 0 s',
  },
  kubeProxySync: { seconds: [1, 1], source: 'kube-proxy: iptables minSyncPeriod 1 s' },
  kubeProxyApply: { seconds: [0.05, 0.3], source: 'kube-proxy: one iptables-restore' },
  ingressSync: { seconds: [10 / 3, 10 / 3], source: 'ingress-nginx: --sync-rate-limit 0.3 a second, burst 1' },
  ingressApply: { seconds: [0.01, 0.05], source: 'ingress-nginx: POST of the endpoints to its Lua server' },
  ingressWorkerPoll: { seconds: [1, 1], source: 'ingress-nginx: BACKENDS_SYNC_INTERVAL, 1 s in each worker' },
  ingressConnectTimeout: { seconds: [5, 5], source: 'ingress-nginx: proxy-connect-timeout 5 s' },
  envoyPush: {
    seconds: [0.1, 0.3],
    source: 'docs/front-doors.md, "Envoy Gateway": a proxy knows a change of the slice after so long',
  },
  envoyConnectTimeout: { seconds: [10, 10], source: 'Envoy Gateway: connect_timeout of its clusters, 10 s' },
  envoyReconnects: {
    seconds: [10.5, 12],
    source: 'docs/front-doors.md, "Envoy Gateway": the proxies are connected again 11 to 12 s after the deletion',
  },
  traefikSync: { seconds: [2, 2], source: 'Traefik: providersThrottleDuration 2 s' },
  traefikApply: {
    seconds: [0.4, 1],
    source: 'docs/front-doors.md, "As measured": requests met a deleted pod for 0.5 to 1.1 s',
  },
  traefikDialTimeout: { seconds: [30, 30], source: 'Traefik: serversTransport.forwardingTimeouts.dialTimeout 30 s' },
  ingressStatus: { seconds: [60, 60], source: 'ingress-nginx: status updated every 60 s by the leader' },
  loadBalancerProvision: {
    seconds: [120, 180],
    source: 'Network Load Balancer: active 2 to 3 minutes after its creation',
  },
  loadBalancerHealthCheck: { seconds: [10, 10], source: 'aws-load-balancer-controller: interval 10 s, threshold 3' },
  loadBalancerDeregistration: {
    seconds: [120, 180],
    source: 'docs/facts/aws.md, "Network Load Balancer": it takes 2 to 3 minutes to stop sending to a target',
  },
  albDeregistration: {
    seconds: [8, 25],
    source: 'docs/facts/aws.md, "Application Load Balancer": until a target gets no more requests after its removal',
  },
  dnsAutomationLoop: { seconds: [60, 60], source: 'external-dns: --interval 1m' },
  zonePropagation: { seconds: [10, 40], source: 'Route 53: a change is INSYNC within tens of seconds, 60 s at most' },
  resolverCached: { seconds: [0.0005, 0.0015], source: 'VPC resolver: answer in its cache' },
  resolverAsked: { seconds: [0.003, 0.03], source: 'VPC resolver: asks the authoritative server' },
  networkRoundTrip: { seconds: [0.0004, 0.0012], source: 'EC2: about 1 ms between zones of one region' },
  applicationAnswer: { seconds: [0.001, 0.004], source: 'nginx: two of them in a row, and a page of 615 bytes' },
  leaderRenewal: { seconds: [2, 2], source: 'client-go leader election: RetryPeriod 2 s, LeaseDuration 15 s' },
  autoscalerBatch: { seconds: [1, 1], source: 'Karpenter: BATCH_IDLE_DURATION 1 s (BATCH_MAX_DURATION 10 s)' },
  autoscalerReaction: { seconds: [0.05, 0.5], source: 'Karpenter: watch event to reconcile, client-side rate limits' },
  autoscalerGc: { seconds: [120, 120], source: 'Karpenter: looks for NodeClaims without an instance every 2 minutes' },
  interruptionMessage: { seconds: [1, 5], source: 'EC2 state change through EventBridge and SQS to Karpenter' },
  disruptionPoll: { seconds: [10, 10], source: 'Karpenter: disruption loop every 10 s' },
  autoscalerSync: {
    seconds: [1, 1],
    source:
      'Karpenter: no disruption while a NodeClaim has no instance yet; looks again after 1 s (disruption/controller.go)',
  },
  disruptionAgain: {
    seconds: [0.01, 0.1],
    source: 'Karpenter: the loop begins anew after a command (RequeueImmediately); measured 1.1 s with autoscalerSync',
  },
  disruptionValidation: { seconds: [15, 15], source: 'Karpenter: commands are validated again after 15 s' },
  disruptionGivenUp: { seconds: [600, 600], source: 'Karpenter: a command waits 10 minutes for its replacements' },
  leastDrain: {
    seconds: [5, 5],
    source: 'Karpenter: an instance is terminated 5 s after its drain began, at the earliest',
  },
  instanceRecheck: {
    seconds: [5, 5],
    source:
      'Karpenter: asks EC2 5 s later whether a terminated instance is gone, sooner at a change of its Node (node/termination); measured 1.4 to 5.2 s',
  },
  instanceLaunch: { seconds: [2, 4], source: 'EC2 CreateFleet: until the response with the instance id' },
  instanceBoot: { seconds: [10, 15], source: 'EC2: pending to running' },
  kubeletBoot: {
    seconds: [28, 38],
    source: 'from running to the kubelet asking for its Node; docs/facts/aws.md, "A new instance": 45 to 120 s in all',
  },
  nodeReady: {
    seconds: [15, 24],
    source: 'Node: created to Ready; the images of the CNI and of kube-proxy are pulled and started',
  },
  startupTaints: {
    seconds: [10, 10],
    source: 'assumed: from Ready until the agents that startupTaints of a NodePool wait for have removed them',
  },
  instancePowerOff: {
    seconds: [2, 8],
    source: 'docs/facts/aws.md, "The end of an instance": pods may still answer for seconds after TerminateInstances',
  },
  instanceTermination: { seconds: [20, 45], source: 'EC2: shutting-down to terminated, tens of seconds' },
} as const satisfies Record<string, Delay>;

/** One draw, in seconds. `random` gives numbers in [0, 1). */
export function draw({ seconds }: Delay, random: () => number): number {
  return seconds[0] + (seconds[1] - seconds[0]) * random();
}

/** The same delays, each without chance: the shortest or the longest that it can be. */
export function atPace(all: Delays, pace: 'fastest' | 'slowest'): Delays {
  const index = pace === 'fastest' ? 0 : 1;
  const entries = Object.entries(all).map(([name, { seconds, source }]) => {
    const exactly = [seconds[index], seconds[index]] as const;
    return [name, { seconds: exactly, source }] as const;
  });
  return Object.fromEntries(entries) as Delays;
}
