export type {
  Affinity,
  Container,
  ContainerProbe,
  IngressSpec,
  NodeSelectorTerm,
  PodAffinityTerm,
  PodSpec,
  Requirement,
  Toleration,
  TopologySpreadConstraint,
  WeightedPodAffinityTerm,
} from '@holdfast/embedded-cluster';
