import * as z from 'zod';

/** The schema of `clusterOptions`. It stands apart from them because `--help` must not load zod. */
export const clusterFlags = {
  kubeconfig: z.string().optional(),
  context: z.string().optional(),
  namespace: z.string().optional(),
};
export type ClusterFlags = z.output<z.ZodObject<typeof clusterFlags>>;

/** The schema of `runOptions`. */
export const runFlags = {
  scenario: z.array(z.string()).default([]),
  manifests: z.enum(['hardened', 'plain', 'none']).optional(),
};
