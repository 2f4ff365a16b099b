export type {
  Condition,
  KubernetesObject,
  LabelSelector,
  ManagedFields,
  Metadata,
  OwnerReference,
  Quantities,
} from '@holdfast/embedded-cluster';
