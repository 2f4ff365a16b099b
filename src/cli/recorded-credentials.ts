import { type Credentials, readCredentials } from '../cluster/credentials.ts';
import { UsageError } from '../host/errors.ts';
import type { Context } from './context.ts';
import type { RecordedCluster } from './read-run-settings.ts';

/** The credentials for the cluster of an earlier run. A kubeconfig that means another one by now is a `UsageError`. */
export async function recordedCredentials(
  { host, environment }: Context,
  recorded: RecordedCluster | undefined,
  flags: { readonly kubeconfig?: string | undefined; readonly context?: string | undefined },
): Promise<Credentials> {
  const kubeconfig = flags.kubeconfig ?? recorded?.kubeconfig;
  const context = flags.context ?? recorded?.context;
  const credentials = await readCredentials(host, { kubeconfig, context, environment });
  const { server } = credentials.access;
  if (recorded === undefined || recorded.server === server || flags.context !== undefined) return credentials;
  throw new UsageError([
    `the run was on ${recorded.server}, and context ${credentials.context} is ${server} now; name the right one with --kubeconfig and --context.`,
  ]);
}
