import type { Cluster } from '../../cluster/cluster.ts';
import type { Credentials } from '../../cluster/credentials.ts';
import { OperationError, UsageError } from '../../host/errors.ts';
import type { RecordedCluster } from './read-run-settings.ts';

/** What no other cluster has: the uid of the namespace kube-system. Undefined where it may not be read, or nobody answers. */
export async function clusterUid(cluster: Pick<Cluster, 'get'>): Promise<string | undefined> {
  try {
    return (await cluster.get('Namespace', { name: 'kube-system' }))?.metadata.uid;
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

/**
 * A `UsageError` when this is not the cluster of the earlier run: there all that it left would seem gone. By its uid, at whatever address; where
 * that is not known of both, by the address.
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
      ? `${was}: name the right one with --kubeconfig and --context. If it is the same cluster at another address, let the caller get namespaces, or write that address as cluster.server into the run's settings.json.`
      : `${was}, another cluster (its namespace kube-system has uid ${uid}, and had ${recorded.uid}): name the right one with --kubeconfig and --context.`,
  ]);
}
