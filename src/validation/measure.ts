import { instant } from '../cluster/pods.ts';
import type { ClaimDigest, PodDigest } from './digest.ts';
import type { WindowDowntime } from './downtime.ts';
import { eachView, type History, isBeingDisrupted, type View, viewAt } from './history.ts';

/** What was seen of one scenario. Instants are epoch milliseconds. */
export interface Evidence {
  readonly window: { readonly from: number; readonly to: number };
  /** When the first action was intended: the start of the disruption. */
  readonly actedAt: number;
  /** When the cluster had come to rest, or the limit was reached: before anything was undone. */
  readonly restAt: number;
  readonly downtime: WindowDowntime;
  readonly history: History;
}

/** The numbers of one scenario (facts 6.7). Those made of the API's timestamps are ± 1 s, their resolution. */
export interface Measurement {
  readonly downtime: WindowDowntime;
  /** Absent when the pods were not watched: then nothing is known of them. */
  readonly application?: ApplicationMeasurement;
  /** Absent when nodes or claims were not watched. */
  readonly pool?: PoolMeasurement;
}
export interface ApplicationMeasurement {
  readonly readyAtEnd: number;
  readonly podReadySeconds: number | null;
  readonly podRestarts: number;
  readonly fewestReadyEndpoints: number;
}
export interface PoolMeasurement {
  readonly nodeReplacementSeconds: number | null;
  readonly nodeReadySeconds: number | null;
  readonly nodesReplaced: number;
  readonly maxConcurrentDisruptions: number;
}

/** Pure. Evidence in, numbers out; what was not watched is absent, never zero. */
export function measure(evidence: Evidence, replaces: boolean): Measurement {
  const { watched } = evidence.history;
  const before = viewAt(evidence.history, evidence.window.from);
  const rest = viewAt(evidence.history, evidence.restAt);
  return {
    downtime: evidence.downtime,
    ...(watched.has('Pod') && watched.has('EndpointSlice')
      ? { application: measureApplication(evidence, before, rest, replaces) }
      : {}),
    ...(watched.has('Node') && watched.has('NodeClaim') ? { pool: measurePool(evidence, before, rest, replaces) } : {}),
  };
}

function measureApplication(evidence: Evidence, before: View, rest: View, replaces: boolean): ApplicationMeasurement {
  const known = uids(before.Pod);
  const came = [...rest.Pod.values()].filter(({ uid }) => !known.has(uid));
  const times = came.map((pod) => podReadySeconds(pod, replaces ? evidence.actedAt : instant(pod.createdAt)));
  let fewestReadyEndpoints = Number.POSITIVE_INFINITY;
  let podRestarts = 0;
  const restartsBefore = restarts(before);
  eachView(evidence.history, evidence.window.from, evidence.window.to, (view) => {
    fewestReadyEndpoints = Math.min(fewestReadyEndpoints, readyEndpointsOf(view));
    podRestarts = Math.max(podRestarts, restarts(view) - restartsBefore);
  });
  const readyAtEnd = [...rest.Pod.values()].filter(({ ready }) => ready).length;
  return { readyAtEnd, podReadySeconds: longest(times), podRestarts, fewestReadyEndpoints };
}

function measurePool(evidence: Evidence, before: View, rest: View, replaces: boolean): PoolMeasurement {
  const known = uids(before.NodeClaim);
  const came = [...rest.NodeClaim.values()].filter(({ uid }) => !known.has(uid));
  const nodeReadySeconds = longest(came.map((claim) => secondsSince(evidence.actedAt, claim.initializedAt)));
  const end = uids(viewAt(evidence.history, evidence.window.to).NodeClaim);
  let maxConcurrentDisruptions = 0;
  eachView(evidence.history, evidence.window.from, evidence.window.to, (view) => {
    maxConcurrentDisruptions = Math.max(maxConcurrentDisruptions, disruptions(view));
  });
  return {
    nodeReplacementSeconds: replaces ? nodeReadySeconds : null,
    nodeReadySeconds,
    nodesReplaced: [...known].filter((uid) => !end.has(uid)).length,
    maxConcurrentDisruptions,
  };
}

/** How many nodes of the pool were being taken away at that moment. */
export function disruptions({ NodeClaim, Node }: View): number {
  const node = (claim: ClaimDigest) => (claim.node === undefined ? undefined : Node.get(claim.node));
  return [...NodeClaim.values()].filter((claim) => isBeingDisrupted(claim, node(claim))).length;
}

export function readyEndpointsOf({ EndpointSlice }: View): number {
  return [...EndpointSlice.values()].reduce((sum, { ready }) => sum + ready, 0);
}

const restarts = ({ Pod }: View): number => [...Pod.values()].reduce((sum, pod) => sum + pod.restarts, 0);
const uids = (objects: ReadonlyMap<string, { readonly uid: string }>) =>
  new Set([...objects.values()].map(({ uid }) => uid));

function podReadySeconds({ readyAt }: PodDigest, since: number | undefined): number | null {
  return since === undefined ? null : secondsSince(since, readyAt);
}

/** Never negative: the API's timestamps are cut to whole seconds. */
function secondsSince(at: number, timestamp: string | undefined): number | null {
  const then = instant(timestamp);
  return then === undefined ? null : Math.max(0, Math.round(then - at) / 1000);
}

function longest(seconds: readonly (number | null)[]): number | null {
  const known = seconds.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
