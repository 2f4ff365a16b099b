/** Karpenter's labels, annotations and finalizer (pkg/apis/v1/labels.go), and the labels of its AWS provider. */
export const wellKnown = {
  nodePool: 'karpenter.sh/nodepool',
  nodeClaim: 'karpenter.sh/nodeclaim',
  capacityType: 'karpenter.sh/capacity-type',
  registered: 'karpenter.sh/registered',
  initialized: 'karpenter.sh/initialized',
  hash: 'karpenter.sh/nodepool-hash',
  hashVersion: 'karpenter.sh/nodepool-hash-version',
  doNotDisrupt: 'karpenter.sh/do-not-disrupt',
  terminationTimestamp: 'karpenter.sh/nodeclaim-termination-timestamp',
  finalizer: 'karpenter.sh/termination',
  nodeClass: 'karpenter.k8s.aws/ec2nodeclass',
} as const;

export const currentHashVersion = 'v3';

/** pkg/apis/v1/taints.go. */
export const unregisteredTaint = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' } as const;
export const disruptedTaint = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' } as const;
