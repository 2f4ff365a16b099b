import type { Cluster } from '../../cluster/cluster.ts';
import type { Credentials } from '../../cluster/credentials.ts';
import { OperationError, UsageError } from '../../host/errors.ts';
import type { RecordedCluster } from './read-run-settings.ts';

/**
 * What identifies a cluster: the uid of its namespace kube-system. Undefined if it may not be read or the server does
 * not answer.
 */
export async function clusterUid(cluster: Pick<Cluster, 'get'>): Promise<string | undefined> {
  try {
    return (await cluster.get('Namespace', { name: 'kube-system' }))?.metadata.uid;
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

/**
 * A `UsageError` if this is not the cluster of the earlier run: on another one everything that the run left would seem
 * gone. Compares the uid, whatever the address; if one of the two is unknown, the address.
 */
export async function requireSameCluster(
  cluster: Pick<Cluster, 'get'>,
  { access: { server }, context }: Credentials,
  recorded: RecordedCluster | undefined,
): Promise<void> {
  if (recorded === undefined) return;
  const uid = recorded.uid === undefined ? undefined : await clusterUid(cluster);
  if (uid === undefined ? recorded.server === server : recorded.uid === uid) return;
  const was = `the run was on ${recorded.server}, and context ${context} is ${server} now`;
  throw new UsageError([
    uid === undefined
      ? `${was}: name the right one with --kubeconfig and --context. If it is the same cluster at another address, let the caller get namespaces, or write that address as cluster.server into the run's settings.json, and name the folder with --trust.`
      : `${was}, another cluster (its namespace kube-system has uid ${uid}, and had ${recorded.uid}): name the right one with --kubeconfig and --context.`,
  ]);
}
