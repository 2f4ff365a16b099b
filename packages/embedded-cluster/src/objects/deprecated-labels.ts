type Labels = Readonly<Record<string, string>>;

/**
 * Labels of nodes under their former names (kubernetes.io, "Well-Known Labels, Annotations and Taints"): kubelets and
 * cloud providers still set them, and Karpenter takes each for its successor (pkg/apis/v1/labels.go, NormalizedLabels).
 */
const successors: Labels = {
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
};

/** The labels, and those of them that have a former name under that too. */
export function withDeprecated(labels: Labels): Labels {
  const former = Object.entries(successors).flatMap(([old, now]) => {
    const value = labels[now];
    return value === undefined ? [] : [[old, value]];
  });
  return { ...Object.fromEntries(former), ...labels };
}
