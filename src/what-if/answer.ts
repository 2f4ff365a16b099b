import { selects } from '../cluster/label-selector.ts';
import { type Copy, keyOf, ofKind } from '../copy/copy.ts';
import {
  type Action,
  type Answer,
  type Blocker,
  type Verdict,
  verdictsWorstFirst,
  type Workload,
  type WorkloadAnswer,
} from './answer-shape.ts';
import { notSimulated } from './not-simulated.ts';
import type { Observed, ObservedWorkload } from './observed.ts';
import { idOf, knownKinds } from './workloads-of.ts';

/** The same action at the shortest delays, at drawn ones and at the longest. */
export type Paces = readonly [fastest: Observed, usual: Observed, slowest: Observed];

/** What the three runs say together, the worst first. */
export function answerOf(copy: Copy, action: Action, paces: Paces): Answer {
  const [, usual] = paces;
  const ids = new Set(paces.flatMap(({ workloads }) => workloads.map(({ workload }) => idOf(workload))));
  const workloads = [...ids].flatMap((id) => workloadAnswer(id, action, paces) ?? []);
  const durations = paces.map(({ durationSeconds }) => durationSeconds);
  return {
    schemaVersion: 1,
    action,
    takenAt: new Date(copy.takenAt).toISOString(),
    workloads: workloads.toSorted(byWorst),
    blockedBy: blockers(copy, paces),
    durationSeconds: durations.includes(undefined) ? null : (usual.durationSeconds ?? null),
    nodesBefore: usual.nodesBefore,
    nodesAfter: usual.nodesAfter,
    notSimulated: notSimulated(copy),
  };
}

function byWorst(a: WorkloadAnswer, b: WorkloadAnswer): number {
  const rank = ({ verdict }: WorkloadAnswer) => verdictsWorstFirst.indexOf(verdict);
  const seconds = ({ downSeconds }: WorkloadAnswer) => downSeconds ?? Number.MAX_SAFE_INTEGER;
  return rank(a) - rank(b) || seconds(b) - seconds(a) || (idOf(a) < idOf(b) ? -1 : 1);
}

/** Of one workload what was seen in each run, and of the whole runs what is about it. */
interface Seen {
  readonly action: Action;
  readonly workload: Workload;
  readonly each: readonly ObservedWorkload[];
  readonly refusal: string | undefined;
  readonly pending: string | undefined;
  /** Its own rolling update or scaling comes to no end. */
  readonly isStuck: boolean;
}

function workloadAnswer(id: string, action: Action, paces: Paces): WorkloadAnswer | undefined {
  const each = paces.flatMap(({ workloads }) => workloads.find(({ workload }) => idOf(workload) === id) ?? []);
  const [first] = each;
  if (first === undefined) return undefined;
  const seen: Seen = {
    action,
    workload: first.workload,
    each,
    refusal: paces.flatMap(({ refusals }) => refusals.find(({ workload }) => idOf(workload) === id) ?? [])[0]?.because,
    pending: paces.flatMap(({ pending }) => pending.find(({ workload }) => idOf(workload) === id) ?? [])[0]?.because,
    isStuck:
      'workload' in action &&
      idOf(action.workload) === id &&
      paces.some(({ durationSeconds }) => durationSeconds === undefined),
  };
  const verdict = verdictOf(seen);
  return { ...seen.workload, verdict, ...downtimeOf(each), because: because(seen, verdict) };
}

function downtimeOf(each: Seen['each']) {
  const all = each.map(({ downSeconds = null }) => downSeconds);
  const known = all.flatMap((seconds) => seconds ?? []).sort((a, b) => a - b);
  const isOver = known.length === all.length;
  return {
    downSeconds: isOver ? (known[Math.floor(known.length / 2)] ?? 0) : null,
    lowerSeconds: known[0] ?? null,
    upperSeconds: isOver ? (known.at(-1) ?? 0) : null,
  };
}

function verdictOf({ each, refusal, workload, isStuck }: Seen): Verdict {
  if (each.some(({ downSeconds }) => downSeconds === undefined || downSeconds > 0)) return 'goes-down';
  if (refusal !== undefined || isStuck) return 'blocks';
  const isLess = each.some(({ readyAfter, readyBefore }) => readyAfter < readyBefore);
  const hasDead = each.some(({ deadSeconds }) => deadSeconds > 0);
  const isCut = isJob(workload) && each.some(({ least, readyBefore }) => least < readyBefore);
  return isLess || hasDead || isCut ? 'degraded' : 'stays';
}

const isJob = ({ kind }: Workload): boolean => kind === 'Job' || kind === 'CronJob';

function because(seen: Seen, verdict: Verdict): string | null {
  const { each, refusal, workload } = seen;
  const [first] = each;
  if (first?.readyBefore === 0) return 'It had no ready pod before.';
  if (verdict === 'blocks') return refusal ?? whyStuck(seen);
  if (verdict === 'stays') return null;
  const isLess = each.some(({ readyAfter, readyBefore }) => readyAfter < readyBefore);
  if (seen.action.kind === 'scale' && seen.action.replicas === 0) return 'It is scaled to 0.';
  if (isLess) return whyLess(seen, workload.kind);
  if (verdict === 'goes-down') return whyDown(seen.action, first?.readyBefore ?? 0);
  const dead = each.map(({ deadSeconds }) => deadSeconds);
  if (Math.max(...dead) > 0) return `Its Services sent requests to lost pods for ${between(dead)} s.`;
  return 'Its pod is stopped in the middle of its work, and starts over.';
}

function whyStuck({ pending }: Seen): string {
  return pending === undefined ? 'Its new pods do not become ready.' : `A new pod finds no place: ${pending}`;
}

function whyLess({ action, pending, refusal }: Seen, kind: string): string {
  if (pending !== undefined) return `A pod of it finds no place: ${pending}`;
  const asked = action.kind === 'drain' ? 'kubectl drain asks for --force, and ' : '';
  if (kind === 'Pod') return `It has no controller: ${asked}nothing brings it back.`;
  if (!knownKinds.has(kind)) return `Unknown owner: nothing says whether a ${kind} brings its pods back.`;
  return refusal ?? 'Not all of its pods are ready again at the end.';
}

function whyDown({ kind }: Action, ready: number): string {
  if (kind === 'lose') return ready === 1 ? 'Its one ready pod is lost.' : `All of its ${ready} ready pods are lost.`;
  return ready === 1
    ? 'Its one ready pod ends before a new one is ready.'
    : `All of its ${ready} ready pods go before the first new one is ready.`;
}

function between(seconds: readonly number[]): string {
  const [least, most] = [Math.floor(Math.min(...seconds)), Math.ceil(Math.max(...seconds))];
  return least === most ? `${most}` : `${least} to ${most}`;
}

/** Budgets that refused an eviction until the end, and pods that found no place. */
function blockers(copy: Copy, paces: Paces): readonly Blocker[] {
  const pods = new Map(ofKind(copy, 'Pod').map((pod) => [keyOf(pod), pod] as const));
  const refused = paces.flatMap(({ refusals }) => refusals);
  const budgets = refused.flatMap(({ pod: key, because }): readonly Blocker[] => {
    const pod = pods.get(key);
    const { namespace = '' } = pod?.metadata ?? {};
    return ofKind(copy, 'PodDisruptionBudget')
      .filter(({ metadata, spec }) => metadata.namespace === namespace && selects(spec.selector, pod?.metadata.labels))
      .map(({ metadata: { name } }) => ({ kind: 'PodDisruptionBudget', namespace, name, because }));
  });
  const placeless = paces.flatMap(({ pending }) => pending.filter(({ isNew }) => isNew));
  const pending = placeless.map(({ workload: { namespace, name }, because }) => {
    return { kind: 'Pod', namespace, name, because } as const;
  });
  const all = [...budgets, ...pending];
  const nameOf = ({ kind, namespace, name }: Blocker) => `${kind}/${namespace}/${name}`;
  return all.filter((one, index) => all.findIndex((other) => nameOf(other) === nameOf(one)) === index);
}
