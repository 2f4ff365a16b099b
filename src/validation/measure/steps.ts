import { type Dated, eachView, type History, viewAt } from '../record/history.ts';
import { sharedNodes } from '../record/neighbours-note.ts';
import type { MeasuredSteps } from '../record/prediction.ts';
import type { Round } from '../record/records.ts';
import { readyEndpointsOf } from './application.ts';
import type { Evidence } from './evidence.ts';
import { measureIngress } from './ingress.ts';

/**
 * When each step that a prediction may name was seen in the first round, in seconds from its disruption; what was not
 * seen is absent.
 */
export function measureSteps(evidence: Evidence): MeasuredSteps {
  const [round] = evidence.rounds;
  if (round === undefined) return {};
  const { history, window } = evidence;
  const after = history.changes.filter(({ instant }) => instant >= round.actedAt && instant <= window.to);
  const inRound = after.filter(({ instant }) => instant <= round.restAt);
  const node = evidence.taken.findLast(({ at }) => at <= round.restAt)?.node ?? emptiedNodes(evidence, round)[0];
  const instants: Readonly<Record<keyof MeasuredSteps, number | undefined>> = {
    ...stepsOfNode(after, node, round),
    'pods-gone': inRound.findLast(({ kind, change }) => kind === 'Pod' && change === 'deleted')?.instant,
    'endpoint-removed': endpointRemoved(history, round),
    'replacement-asked': firstNewClaim(history, round, inRound),
    'ingress-ready': undefined,
    'load-ended': undefined,
  };
  const seen = Object.entries(instants).flatMap(([step, instant]) =>
    instant === undefined ? [] : [[step, (instant - round.actedAt) / 1000] as const],
  );
  return { ...Object.fromEntries(seen), ...ingressReady(evidence), ...loadEnded(evidence) };
}

/**
 * The nodes on which the applications of the run had pods when the round began, and none when the cluster was at rest;
 * not those of which a note says that others were on them, because they stayed occupied.
 */
export function emptiedNodes(
  { history, notes }: Pick<Evidence, 'history' | 'notes'>,
  { openedAt, restAt }: Pick<Round, 'openedAt' | 'restAt'>,
): readonly string[] {
  const shared = sharedNodes(notes);
  const podsAt = (changes: History['changes'], at: number) => [...viewAt({ changes }, at).Pod.values()];
  const nodesAt = (at: number) =>
    [history.changes, history.beside ?? []].flatMap((changes) => podsAt(changes, at)).flatMap(({ node }) => node ?? []);
  const left = new Set(nodesAt(restAt));
  return [...new Set(nodesAt(openedAt))].filter((node) => !left.has(node) && !shared.has(node));
}

/** When the autoscaler had removed the node's claim; undefined if it did not in that time. */
export function claimGoneAt(changes: readonly Dated[], node: string): number | undefined {
  return changes.find(
    ({ kind, change, digest }) =>
      kind === 'NodeClaim' && change === 'deleted' && 'node' in digest && digest.node === node,
  )?.instant;
}

function stepsOfNode(after: readonly Dated[], node: string | undefined, { restAt }: Round) {
  if (node === undefined)
    return { 'node-empty': undefined, 'claim-drifted': undefined, 'node-tainted': undefined, 'node-gone': undefined };
  const of = (wanted: (change: Dated) => boolean) => after.find(wanted)?.instant;
  return {
    'node-empty': after.findLast(
      ({ kind, change, digest, instant }) =>
        kind === 'Pod' && change === 'deleted' && digest.node === node && instant <= restAt,
    )?.instant,
    'claim-drifted': of(
      ({ kind, digest }) => kind === 'NodeClaim' && digest.node === node && digest.drifted !== undefined,
    ),
    'node-tainted': of(({ kind, name, digest }) => kind === 'Node' && name === node && digest.disrupted),
    'node-gone': claimGoneAt(after, node),
  };
}

function endpointRemoved(history: History, { openedAt, actedAt, restAt }: Round): number | undefined {
  const before = readyEndpointsOf(viewAt(history, openedAt));
  let first: number | undefined;
  eachView(history, actedAt, restAt, (view, at) => {
    if (first === undefined && readyEndpointsOf(view) < before) first = at;
  });
  return first;
}

function firstNewClaim(history: History, { openedAt }: Round, inRound: readonly Dated[]): number | undefined {
  const known = viewAt(history, openedAt).NodeClaim;
  return inRound.find(({ kind, change, name }) => kind === 'NodeClaim' && change === 'added' && !known.has(name))
    ?.instant;
}

function ingressReady(evidence: Evidence): MeasuredSteps {
  const ready = measureIngress(evidence).readyAgain;
  return ready === null ? {} : { 'ingress-ready': ready.seconds };
}

const loadEnded = ({ load }: Evidence): MeasuredSteps => (load === undefined ? {} : { 'load-ended': load.seconds });
