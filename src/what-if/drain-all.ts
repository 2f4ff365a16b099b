import { type Copy, ofKind } from '../copy/copy.ts';
import type { Host } from '../host/host.ts';
import { type Answer, type Verdict, verdictsWorstFirst, type WorkloadAnswer } from './answer-shape.ts';
import { type AskerOf, type AskNode, type NodeAnswer, nodeAskerOf, nodeAskerThread } from './node-asker.ts';
import { notSimulated } from './not-simulated.ts';
import { idOf } from './workloads-of.ts';

/** The document of `what-if drain --all --json`: each node drained alone, the worst first. */
export interface AllAnswer extends Answer {
  readonly nodes: readonly NodeAnswer[];
}

/** More threads would need more memory than most machines have to spare. */
const mostThreads = 8;
/** Fewer nodes are asked sooner than a thread starts. */
const nodesWorthThread = 8;

/** Asks every node of the copy in turn, in as many threads as there are processors. The answers are the same in any. */
export async function drainAll(
  { threads }: Pick<Host, 'threads'>,
  of: AskerOf,
  asked: (count: number, all: number) => void,
): Promise<AllAnswer> {
  const names = ofKind(of.copy, 'Node').map(({ metadata }) => metadata.name);
  const wanted = Math.min(mostThreads, threads?.processors ?? 1, Math.floor(names.length / nodesWorthThread));
  const started =
    threads === undefined || wanted < 2
      ? []
      : await Promise.all(Array.from({ length: wanted }, () => nodeAskerThread(threads, of)));
  const askers: readonly AskNode[] = started.length > 0 ? started.map(({ ask }) => ask) : [await nodeAskerOf(of)];
  try {
    const answers: NodeAnswer[] = [];
    const rest = names.values();
    const work = async (ask: AskNode) => {
      for (const name of rest) {
        answers.push(await ask(name));
        asked(answers.length, names.length);
      }
    };
    await Promise.all(askers.map(work));
    return together(of.copy, answers);
  } finally {
    for (const { end } of started) end();
  }
}

function together(copy: Copy, answers: readonly NodeAnswer[]): AllAnswer {
  const nodes = answers.toSorted(byWorst);
  const worst = new Map<string, WorkloadAnswer>();
  for (const one of nodes.flatMap(({ workloads }) => workloads)) {
    const before = worst.get(idOf(one));
    if (before === undefined || rank(one.verdict) < rank(before.verdict)) worst.set(idOf(one), one);
  }
  const blockedBy = nodes.flatMap(({ blockedBy: all }) => all);
  const nameOf = ({ kind, namespace, name }: (typeof blockedBy)[number]) => `${kind}/${namespace}/${name}`;
  const durations = nodes.map(({ durationSeconds = null }) => durationSeconds);
  return {
    schemaVersion: 1,
    action: { kind: 'drain', nodes: nodes.map(({ node }) => node) },
    takenAt: new Date(copy.takenAt).toISOString(),
    workloads: [...worst.values()].toSorted((a, b) => rank(a.verdict) - rank(b.verdict)),
    blockedBy: blockedBy.filter(
      (one, index) => blockedBy.findIndex((other) => nameOf(other) === nameOf(one)) === index,
    ),
    durationSeconds: durations.reduce((all, seconds) => (all === null || seconds === null ? null : all + seconds), 0),
    nodesBefore: nodes.length,
    nodesAfter: nodes.length,
    notSimulated: notSimulated(copy),
    nodes,
  };
}

const rank = (verdict: Verdict): number => verdictsWorstFirst.indexOf(verdict);

/** By verdict, then by the workloads that go down for good, then by the seconds. */
function byWorst(a: NodeAnswer, b: NodeAnswer): number {
  const downs = ({ workloads }: NodeAnswer) => workloads.filter(({ verdict }) => verdict === 'goes-down');
  const seconds = (one: NodeAnswer) =>
    downs(one).reduce((sum, { downSeconds }) => sum + (downSeconds ?? forGoodSeconds), 0);
  return rank(a.verdict) - rank(b.verdict) || seconds(b) - seconds(a) || (a.node < b.node ? -1 : 1);
}

/** What never comes back counts as much as a day. */
const forGoodSeconds = 86_400;
