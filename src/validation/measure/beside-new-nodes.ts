import type { OutageKind } from '../downtime/outage-kind.ts';
import type { Dated } from '../record/history.ts';
import type { Evidence } from './evidence.ts';

/** A machine on which nobody listens yet, or whose kube-proxy has no rules yet. */
const brokenConnections: ReadonlySet<OutageKind> = new Set(['refused', 'reset', 'connect', 'connect-timeout']);

/** Connections to new nodes of a busy machine were reset 0.1 to 2.7 s after their Node had come (docs/real-cluster.md). */
const mostSecondsAfter = 5;

/**
 * The new nodes beside whose coming every outage of the window began, each a broken connection: the load balancer sent to them before they could take it. Empty if one began
 * otherwise, or if there was none.
 */
export function besideNewNodes({
  outages,
  history,
  window,
}: Pick<Evidence, 'outages' | 'history' | 'window'>): readonly string[] {
  const nodes = history.changes.filter(
    ({ kind, change, instant }) =>
      kind === 'Node' && change === 'added' && instant >= window.from && instant <= window.to,
  );
  const beside = outages.map(({ from, kinds }) =>
    kinds.every((kind) => brokenConnections.has(kind)) ? cameJustBefore(nodes, Date.parse(from)) : [],
  );
  return beside.some((names) => names.length === 0) ? [] : [...new Set(beside.flat())];
}

const cameJustBefore = (nodes: readonly Dated[], at: number): readonly string[] =>
  nodes.filter(({ instant }) => instant <= at && at <= instant + 1000 * mostSecondsAfter).map(({ name }) => name);
