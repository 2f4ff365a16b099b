import type { ClusterClient } from './client.ts';
import type { Change } from './cluster.ts';
import type { Kind } from './kinds.ts';

const kinds: ReadonlySet<Kind> = new Set<Kind>(['EC2NodeClass', 'NodeClaim', 'NodePool']);

/**
 * A cluster that does not have Karpenter's kinds, as one that has no objects of them: reads find none, and a watch
 * shows no change.
 */
export function withoutKarpenter(cluster: ClusterClient): ClusterClient {
  return {
    ...cluster,
    get: async (kind, at) => (kinds.has(kind) ? undefined : cluster.get(kind, at)),
    list: async (kind, where) => (kinds.has(kind) ? [] : cluster.list(kind, where)),
    watch: (kind, where, signal, onGap) =>
      kinds.has(kind) ? noChange(kind, signal) : cluster.watch(kind, where, signal, onGap),
  };
}

async function* noChange<K extends Kind>(kind: K, signal: AbortSignal): AsyncIterable<Change<K>> {
  yield { type: 'synced', kind } as Change<K>;
  if (signal.aborted) return;
  await new Promise<void>((ended) => signal.addEventListener('abort', () => ended(), { once: true }));
}
