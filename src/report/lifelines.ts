import type { NodeDigest, PodDigest } from '../validation/record/digest.ts';
import type { ClusterChanged, ValidationFact } from '../validation/record/events.ts';
import { ofType } from '../validation/record/records.ts';
import type { Span } from './strip.ts';

/** The stages of a pod of the application or a node, as it was watched. */
export interface Lifeline {
  readonly kind: 'Pod' | 'Node';
  readonly name: string;
  /** In order, without gaps; the last one ends with the object or the run. Epoch milliseconds. */
  readonly stages: readonly Stage[];
}
export interface Stage extends Span {
  readonly state: StageState;
}
export type StageState = 'not-ready' | 'ready' | 'leaving';

/**
 * Every pod and node of the journal, in the order of their first change. Those that were not deleted last until `end`,
 * by default the last fact's time.
 */
export function lifelines(
  facts: readonly ValidationFact[],
  end: number = Date.parse(facts.at(-1)?.at ?? ''),
): readonly Lifeline[] {
  const lives = new Map<string, ClusterChanged[]>();
  for (const change of ofType(facts, 'cluster-changed') as readonly ClusterChanged[]) {
    if (change.kind !== 'Pod' && change.kind !== 'Node') continue;
    const key = `${change.kind} ${change.name} ${change.digest.uid}`;
    const life = lives.get(key);
    if (life === undefined) lives.set(key, [change]);
    else life.push(change);
  }
  return [...lives.values()].flatMap(([first, ...rest]) =>
    first === undefined
      ? []
      : [{ kind: first.kind as Lifeline['kind'], name: first.name, stages: stages([first, ...rest], end) }],
  );
}

/** The lifelines that changed within the span, cut to it. */
export function lifelinesIn(all: readonly Lifeline[], { from, to }: Span): readonly Lifeline[] {
  return all.flatMap((life) => {
    const inside = life.stages
      .filter((stage) => stage.to > from && stage.from < to)
      .map((stage) => ({ ...stage, from: Math.max(from, stage.from), to: Math.min(to, stage.to) }));
    const [first] = inside;
    const last = inside.at(-1);
    if (first === undefined || last === undefined) return [];
    const isUnchanged = inside.length === 1 && first.from === from && last.to === to;
    return isUnchanged ? [] : [{ ...life, stages: inside }];
  });
}

function stages(changes: readonly ClusterChanged[], end: number): readonly Stage[] {
  const merged: Stage[] = [];
  changes.forEach((change, index) => {
    if (change.change === 'deleted') return;
    const state = stateOf(change);
    const stage = { state, from: Date.parse(change.at), to: Date.parse(changes[index + 1]?.at ?? '') || end };
    const last = merged.at(-1);
    if (last?.state === state) merged[merged.length - 1] = { ...last, to: stage.to };
    else merged.push(stage);
  });
  return merged;
}

function stateOf({ kind, digest }: ClusterChanged): StageState {
  const { deletingAt, ready } = digest as PodDigest | NodeDigest;
  const { cordoned, disrupted } = digest as NodeDigest;
  if (deletingAt !== undefined || (kind === 'Node' && (cordoned || disrupted))) return 'leaving';
  return ready ? 'ready' : 'not-ready';
}
