import * as z from 'zod';

/** Which cluster: the values of `clusterOptions`. */
export const clusterFlags = {
  kubeconfig: z.string().optional(),
  context: z.string().optional(),
  namespace: z.string().optional(),
};
export type ClusterFlags = z.output<z.ZodObject<typeof clusterFlags>>;

/** What a run would be: the values of `runOptions`. */
export const runFlags = {
  scenario: z.array(z.string()).default([]),
  manifests: z.enum(['hardened', 'plain', 'none']).optional(),
};
