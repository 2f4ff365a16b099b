import { type Copy, ofKind } from '../copy/copy.ts';
import type { Thread, ThreadMemory, Threads } from '../host/thread.ts';
import { answerOf, type Paces } from './answer.ts';
import type { Action, Blocker, Verdict, WorkloadAnswer } from './answer-shape.ts';
import { type Facts, factsOf } from './facts.ts';
import { observe } from './observe.ts';
import { reducedCopy } from './reduced-copy.ts';
import { triage } from './triage.ts';

/** What the drain of one node does. */
export interface NodeAnswer {
  readonly node: string;
  /** The worst of its workloads. */
  readonly verdict: Verdict;
  readonly workloads: readonly WorkloadAnswer[];
  readonly blockedBy: readonly Blocker[];
  /** Null: the drain never ends. Absent where nothing had to be tried. */
  readonly durationSeconds?: number | null;
}

export interface AskerOf {
  readonly copy: Copy;
  readonly seed: string;
}

export type AskNode = (node: string) => Promise<NodeAnswer>;

/** Answers for one node after the other. Called in the thread. */
export async function nodeAskerOf({ copy, seed }: AskerOf): Promise<AskNode> {
  const facts = factsOf(copy);
  return (node) => answerFor(facts, node, seed);
}

/** The same in a thread of its own. */
export const nodeAskerThread = ({ start }: Threads, of: AskerOf): Promise<Thread<string, NodeAnswer>> =>
  start(import.meta.resolve(`./node-asker.${ownType}`), 'nodeAskerOf', of, memoryFor(of.copy));

/** The sources are TypeScript, the build is not: both have this file. */
const ownType = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
/**
 * A run of the embedded cluster makes many short-lived objects; a copy of 4,500 pods takes 54 MiB, measured, and a run
 * of a few nodes little more.
 */
const memoryFor = (copy: Copy): ThreadMemory => ({
  youngMib: 16,
  oldMib: 128 + Math.ceil(ofKind(copy, 'Pod').length / 40),
});

async function answerFor(facts: Facts, node: string, seed: string): Promise<NodeAnswer> {
  const { safe, toTry } = triage(facts, node);
  const staying = safe.map(stays);
  if (toTry.length === 0) return { node, verdict: 'stays', workloads: staying, blockedBy: [] };
  const copy = reducedCopy(facts, node, toTry);
  const action = { kind: 'drain', nodes: [node] } as const;
  const { workloads, blockedBy, durationSeconds } = answerOf(copy, action, await paces(copy, action, seed));
  const verdict = workloads[0]?.verdict ?? 'stays';
  return { node, verdict, workloads: [...workloads, ...staying], blockedBy, durationSeconds };
}

/** Where neither the shortest nor the longest delays take anything down, drawn ones are not tried. */
async function paces(copy: Copy, action: Action, seed: string): Promise<Paces> {
  const fastest = await observe(copy, action, { seed, pace: 'fastest' });
  const slowest = await observe(copy, action, { seed, pace: 'slowest' });
  const isDown = [fastest, slowest].some(({ workloads }) => workloads.some(({ least }) => least === 0));
  return [fastest, isDown ? await observe(copy, action, { seed, pace: 'usual' }) : slowest, slowest];
}

function stays(id: string): WorkloadAnswer {
  const [kind = '', namespace = '', name = ''] = id.split('/');
  const none = { downSeconds: 0, lowerSeconds: 0, upperSeconds: 0, because: null };
  return { kind, namespace, name, verdict: 'stays', ...none };
}
