import type { Fact, LineDamaged } from '../../journal/journal.ts';
import type { Expectation, Finding } from '../finding.ts';
import type { Settings } from '../settings.ts';
import type { Digests, WatchedKind } from './digest.ts';
import type { Observed } from './observed.ts';
import type { Prediction } from './prediction.ts';
import type { Performed, Undo } from './undo.ts';

/** The journal's words for Area A: past-tense facts, all that a report needs besides the downtime log. */
export type ValidationFact =
  | RunStarted
  | (Fact & { readonly type: 'check-finished'; readonly mandatory: boolean; readonly finding: Finding })
  | (Fact & { readonly type: 'application-verified'; readonly expectations: readonly Expectation[] })
  | ActionIntended
  | (Fact & { readonly type: 'action-performed'; readonly id: string } & Performed)
  | ActionFailed
  | (Fact & { readonly type: 'action-verified'; readonly id: string; readonly expectation: Expectation })
  | ActionUndone
  | ClusterChanged
  | (Fact & { readonly type: 'cluster-watched'; readonly kind: WatchedKind })
  /** Since then nothing was heard of that kind, until it is watched again. */
  | (Fact & { readonly type: 'cluster-unwatched'; readonly kind: WatchedKind; readonly since: string })
  /** Before anything is done: what is expected to happen, and why. */
  | (Fact & { readonly type: 'scenario-predicted'; readonly scenario: string; readonly prediction: Prediction })
  | (Fact & { readonly type: 'scenario-started'; readonly scenario: string })
  | (Fact & { readonly type: 'window-opened'; readonly scenario: string })
  /** A scenario is made several times in its window: from here on the next time. */
  | (Fact & { readonly type: 'round-opened'; readonly scenario: string; readonly round: number })
  /** What the plan says of the circumstances. */
  | (Fact & { readonly type: 'scenario-noted'; readonly scenario: string; readonly expectation: Expectation })
  | (Fact & Observed)
  | (Fact & { readonly type: 'scenario-settled'; readonly scenario: string })
  | (Fact & { readonly type: 'window-closed'; readonly scenario: string })
  /** Nothing worth judging came of it: why, and whether it went no further. */
  | (Fact & {
      readonly type: 'scenario-inconclusive';
      readonly scenario: string;
      readonly because: string;
      readonly brokenOff?: true;
    })
  | (Fact & { readonly type: 'scenario-finished'; readonly scenario: string })
  | (Fact & { readonly type: 'run-interrupted'; readonly signal: string })
  /** There was more unexpected downtime than `--abort-after` allows. */
  | (Fact & { readonly type: 'run-aborted'; readonly because: string })
  | (Fact & { readonly type: 'run-failed'; readonly because: string })
  | (Fact & { readonly type: 'run-finished' })
  | LineDamaged;

export interface RunStarted extends Fact {
  readonly type: 'run-started';
  readonly tool: { readonly name: 'holdfast'; readonly version: string };
  readonly run: RunIdentity;
  /** The scenarios that this run is to make, and whether it was told to leave others out. */
  readonly scenarios: readonly string[];
  readonly partial: boolean;
  /** Whether it is to remove in the end what it applied, and `recover` for it. */
  readonly cleanup?: boolean;
  /** By which the run is made and judged. They hold no secret. */
  readonly settings: Settings;
}
export interface RunIdentity {
  readonly id: string;
  readonly kind: 'rehearsal' | 'cluster';
  readonly seed?: number;
  /** The API server, or the embedded cluster's description. */
  readonly cluster: string;
}
/** On disk before the action is performed: `recover` needs nothing else (contract section 4). */
export interface ActionIntended extends Fact {
  readonly type: 'action-intended';
  readonly id: string;
  readonly scenario: string | null;
  readonly action: string;
  readonly subject: string;
  /** The node that the action takes away. */
  readonly node?: string;
  readonly intent: unknown;
}
/** `unanswered`: the server may make it yet. */
export interface ActionFailed extends Fact {
  readonly type: 'action-failed';
  readonly id: string;
  readonly because: string;
  readonly unanswered?: true;
}
/** `openForCleanup`: kept by a `recover` without `--cleanup`; one with it removes it still. */
export type ActionUndone = Fact & {
  readonly type: 'action-undone';
  readonly id: string;
  readonly openForCleanup?: true;
} & Undo;
export type ClusterChanged = { [K in WatchedKind]: ClusterChange<K> }[WatchedKind];
interface ClusterChange<K extends WatchedKind> extends Fact {
  readonly type: 'cluster-changed';
  readonly change: 'added' | 'modified' | 'deleted';
  readonly kind: K;
  readonly name: string;
  readonly digest: Digests[K];
}
