import type { OutageKind } from '../downtime/outage-kind.ts';
import type { Dated } from '../record/history.ts';
import type { Evidence } from './evidence.ts';

/** How a connection to a node fails on which nothing listens yet, or whose kube-proxy has no rules yet. */
const brokenConnections: ReadonlySet<OutageKind> = new Set(['refused', 'reset', 'connect', 'connect-timeout']);

/**
 * Connections to new nodes of a busy machine were reset 0.1 to 2.7 s after their Node had come (docs/real-cluster.md).
 */
export const mostSecondsAfterNode = 5;

/**
 * The new nodes that explain the outages of the window: each outage is a broken connection and began when one of these
 * nodes joined, while no pod and no node left. The load balancer then sent to the node before it could serve. Empty if
 * an outage began otherwise, or if there was none.
 */
export function besideNewNodes({
  outages,
  history,
  window,
}: Pick<Evidence, 'outages' | 'history' | 'window'>): readonly string[] {
  const changes = history.changes.filter(({ instant }) => instant >= window.from && instant <= window.to);
  const beside = outages.map(({ from, kinds }) =>
    kinds.every((kind) => brokenConnections.has(kind)) ? cameJustBefore(changes, Date.parse(from)) : [],
  );
  return beside.some((names) => names.length === 0) ? [] : [...new Set(beside.flat())];
}

function cameJustBefore(changes: readonly Dated[], at: number): readonly string[] {
  const recent = changes.filter(({ instant }) => instant <= at && at <= instant + 1000 * mostSecondsAfterNode);
  // Pods and nodes that leave break connections, too.
  if (recent.some(isLeaving)) return [];
  return recent.flatMap(({ kind, change, name }) => (kind === 'Node' && change === 'added' ? [name] : []));
}

const isLeaving = ({ kind, change, digest }: Dated): boolean =>
  (kind === 'Pod' || kind === 'IngressPod' || kind === 'Node') &&
  (change === 'deleted' || digest.deletingAt !== undefined);
