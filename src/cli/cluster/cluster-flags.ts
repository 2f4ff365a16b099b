import * as z from 'zod';
import { wholeNumber } from '../command/whole-number.ts';
import type { TypedSettings } from '../settings/run-settings.ts';

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
  file: z.array(z.string()).default([]),
  application: z.string().optional(),
  loadWorkers: wholeNumber(1).optional(),
  vantage: z.enum(['in-cluster']).optional(),
};

/** The settings that `runFlags` give. */
export const typedSettings = ({ manifests, loadWorkers, vantage }: TypedFlags): TypedSettings => ({
  ...(manifests === undefined ? {} : { manifests }),
  ...(loadWorkers === undefined ? {} : { load: { workers: loadWorkers } }),
  ...(vantage === undefined ? {} : { vantage }),
});
type TypedFlags = Pick<z.output<z.ZodObject<typeof runFlags>>, 'manifests' | 'loadWorkers' | 'vantage'>;

/** What is wrong between `--manifests`, `-f` and `--application`, one sentence each. */
export function runFlagMistakes({ manifests, file = [], application }: RunFlags): readonly string[] {
  return [
    ...(file.length > 0 && manifests !== undefined
      ? ['--manifests chooses the specification’s objects: leave it out with -f.']
      : []),
    ...(file.length === 0 && application !== undefined
      ? ['--application chooses among the manifests of -f: add -f.']
      : []),
  ];
}
type RunFlags = Partial<z.input<z.ZodObject<typeof runFlags>>>;
