export type { DisruptionBudget, NodeClaim, NodeClass, NodeClassRef, NodePool } from '@holdfast/embedded-cluster';
