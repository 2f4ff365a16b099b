import * as z from 'zod';
import { podSelector } from './pod-selector.ts';

const nodeClass = z.strictObject({
  group: z.string().default('karpenter.k8s.aws'),
  kind: z.string().default('EC2NodeClass'),
  name: z.string().default('default'),
});
const requirement = z.strictObject({
  key: z.string().min(1),
  operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte']),
  values: z.array(z.string()).exactOptional(),
});

/** The pool of an application's nodes: `nodePool` of the settings. */
export const nodePoolSchema = z.strictObject({
  name: z.string().default('general-purpose-arm'),
  /** 2.1: the label `role` with a workload-specific value. */
  role: z.string().default('web'),
  nodeClass: nodeClass.prefault({}),
  /** What the nodes must be; the rows of 2.2 by default. */
  requirements: z.array(requirement).exactOptional(),
  /** The labels of the application's nodes where no Karpenter launches them; `role=<role>` by default. */
  selector: podSelector.exactOptional(),
});
