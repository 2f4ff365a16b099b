import { type Credentials, readCredentials } from '../../cluster/credentials.ts';
import type { Context } from '../command/context.ts';
import type { RecordedCluster } from './read-run-settings.ts';

/** The credentials for the cluster of an earlier run, by the kubeconfig and the context of then where none are named. */
export function recordedCredentials(
  { host, environment }: Context,
  recorded: RecordedCluster | undefined,
  flags: { readonly kubeconfig?: string | undefined; readonly context?: string | undefined },
): Promise<Credentials> {
  const kubeconfig = flags.kubeconfig ?? recorded?.kubeconfig;
  const context = flags.context ?? recorded?.context;
  return readCredentials(host, { kubeconfig, context, environment });
}
