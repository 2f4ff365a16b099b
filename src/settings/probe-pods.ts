import * as z from 'zod';
import { podSelector } from './pod-selector.ts';
import { toleration } from './toleration.ts';

/** The probe pods of `vantage: in-cluster`. */
export const probePods = z.strictObject({
  /** There is no public one: it is built by `npm run package:image` (docs/in-the-cluster.md). */
  image: z.string().min(1).default('holdfast'),
  pullSecrets: z.array(z.string().min(1)).default([]),
  /** Where the pods are; the application's by default. */
  namespace: z.string().min(1).exactOptional(),
  /** Only on nodes with these labels. */
  nodeSelector: podSelector.exactOptional(),
  /**
   * The taint that system nodes have where a cluster keeps applications off them (Kubernetes, "Guaranteed Scheduling
   * For Critical Add-On Pods").
   */
  tolerations: z.array(toleration).default([{ key: 'CriticalAddonsOnly', operator: 'Exists' }]),
  /** A PriorityClass that is there; without it the pods have the cluster's default priority. */
  priorityClass: z.string().min(1).exactOptional(),
});
