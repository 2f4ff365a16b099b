import type { Bounded } from '../../figures/figures.js';
import { killedExitCode, type PodDigest, readyIn } from '../record/digest.ts';
import { eachView, type History, type View, viewAt } from '../record/history.ts';
import type { Round } from '../record/records.ts';
import type { Evidence } from './evidence.ts';
import { arrival, readyArrival } from './since.ts';
import { happened, known, longestOf, type Moment, secondsBetween } from './witnesses.ts';

export interface ApplicationMeasurement {
  /** Ready pods when the cluster had settled; the fewest of all rounds. */
  readonly readyAtRest: number;
  /** How many the workload wanted then; the most of all rounds. */
  readonly wantedAtRest: number;
  readonly podReady: Bounded | null;
  /** Times of pods whose witnesses contradict each other. */
  readonly doubts: readonly string[];
  readonly podRestarts: number;
  /** A rollout made no progress within the Deployment's deadline. */
  readonly deadlineExceeded: boolean;
  readonly fewestReadyEndpoints: number;
  /** The largest fall of the number of ready pods below that at a round's start, over all rounds. */
  readonly podsLostAtOnce: number;
  readonly exits: readonly PodExit[];
}

/** The application's pods and endpoints in the window of a scenario. */
export function measureApplication(evidence: Evidence, replaces: boolean): ApplicationMeasurement {
  const { history, window, rounds } = evidence;
  let fewestReadyEndpoints = Number.POSITIVE_INFINITY;
  let podRestarts = 0;
  let deadlineExceeded = false;
  const before = restartsOf(viewAt(history, window.from));
  const ready = rounds.flatMap((round) => podReadyTimes(evidence, round, replaces));
  eachView(history, window.from, window.to, (view) => {
    fewestReadyEndpoints = Math.min(fewestReadyEndpoints, readyEndpointsOf(view));
    podRestarts = Math.max(podRestarts, restartsSince(before, view));
    deadlineExceeded ||= [...view.Deployment.values()].some((one) => one.deadlineExceeded === true);
  });
  return {
    readyAtRest: Math.min(...rounds.map(({ restAt }) => readyPodsOf(viewAt(history, restAt)))),
    wantedAtRest: Math.max(...rounds.map(({ restAt }) => podsWantedOf(viewAt(history, restAt)))),
    podReady: longestOf(ready.map(({ seconds }) => seconds)),
    doubts: ready.flatMap(({ doubts }) => doubts),
    podRestarts,
    deadlineExceeded,
    fewestReadyEndpoints,
    podsLostAtOnce: Math.max(...rounds.map((round) => lostAtOnce(evidence, round))),
    exits: rounds.flatMap(({ openedAt, restAt }) => podExits(history, openedAt, restAt)),
  };
}

export const readyEndpointsOf = ({ EndpointSlice }: View): number => readyIn(EndpointSlice.values());

interface ReadyPod {
  readonly seconds: Bounded;
  readonly doubts: readonly string[];
}

/**
 * Counts from the disruption if pods replace others, and from each pod's creation if pods are added
 * (docs/facts/measuring.md, "The columns of the result table").
 */
function podReadyTimes(
  { history, clock }: Evidence,
  { openedAt, actedAt, restAt }: Round,
  replaces: boolean,
): readonly ReadyPod[] {
  const there = new Set([...viewAt(history, openedAt).Pod.values()].map(({ uid }) => uid));
  const came = [...viewAt(history, restAt).Pod].filter(([, { uid }]) => !there.has(uid));
  return came.flatMap(([name, { uid, createdAt, readyAt }]) => {
    const when = (timestamp: string | undefined, arrivedAt: number | undefined) =>
      happened({ timestamp, arrivedAt, notBefore: actedAt, clock });
    const ready = readyAt === undefined ? undefined : when(readyAt, readyArrival(history, 'Pod', uid, readyAt));
    const since = replaces
      ? known(actedAt)
      : when(
          createdAt,
          arrival(history, 'Pod', (pod) => pod.uid === uid),
        );
    if (ready === undefined || since === undefined) return [];
    const doubts = [ready, since].flatMap(({ doubt }: Moment) => (doubt === undefined ? [] : [`${name}: ${doubt}`]));
    return [{ seconds: secondsBetween(since, ready), doubts }];
  });
}

function lostAtOnce({ history }: Evidence, { openedAt, restAt }: Round): number {
  const before = readyPodsOf(viewAt(history, openedAt));
  let fewest = before;
  eachView(history, openedAt, restAt, (view) => {
    fewest = Math.min(fewest, readyPodsOf(view));
  });
  return before - fewest;
}

const readyPodsOf = ({ Pod }: View): number => [...Pod.values()].filter(({ ready }) => ready).length;

const podsWantedOf = ({ Deployment }: View): number =>
  Math.max(0, ...[...Deployment.values()].map(({ replicas }) => replicas));

/** Counted for each pod, so that the restarts of a pod that is gone do not offset those of another. */
function restartsSince(before: ReadonlyMap<string, number>, { Pod }: View): number {
  let sum = 0;
  for (const { uid, restarts } of Pod.values()) sum += restarts - (before.get(uid) ?? 0);
  return sum;
}

const restartsOf = ({ Pod }: View) => new Map([...Pod.values()].map(({ uid, restarts }) => [uid, restarts] as const));

/** The end of one of the application's pods. */
interface PodExit {
  readonly pod: string;
  /** From its deletion, as the watch saw it, to its end. */
  readonly seconds: number;
  /** Its containers ended by themselves in the grace period; false if they were killed or outlived it. */
  readonly graceful: boolean;
}

/**
 * The API's timestamps are whole seconds, and the kubelet reports the end at most a second late
 * (docs/facts/kubernetes.md, "The end of a pod").
 */
const toleranceSeconds = 2;

/** The pods that were deleted and gone in that time (epoch milliseconds). */
export function podExits({ changes }: History, from: number, to: number): readonly PodExit[] {
  const leaving = new Map<string, number>();
  return changes.flatMap((change) => {
    const at = change.instant;
    if (change.kind !== 'Pod' || at < from || at > to) return [];
    const { uid, deletingAt } = change.digest;
    if (deletingAt !== undefined && !leaving.has(uid)) leaving.set(uid, at);
    if (change.change !== 'deleted') return [];
    const since = leaving.get(uid) ?? at;
    return [{ pod: change.name, seconds: (at - since) / 1000, graceful: isGraceful(change.digest, at) }];
  });
}

function isGraceful({ exitCode, deletingAt }: PodDigest, goneAt: number): boolean {
  if (exitCode !== undefined) return exitCode !== killedExitCode;
  return deletingAt === undefined || goneAt <= Date.parse(deletingAt) + 1000 * toleranceSeconds;
}
