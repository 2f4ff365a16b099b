import type { Bounded } from '../../figures/figures.js';
import type { Fact, LineDamaged } from '../../journal/journal.ts';
import type { CheckFinding, Expectation, ManifestPlace, Obstacle, Outcome } from '../finding.ts';
import type { Settings } from '../settings.ts';
import type { ApplicationRehearsed, RehearsedApplication } from './application-rehearsed.ts';
import type { ClockCompared } from './clock-compared.ts';
import type { Digests, WatchedKind } from './digest.ts';
import type { FrontDoorRehearsed, NotRehearsed } from './front-door-rehearsed.ts';
import type { Observed } from './observed.ts';
import type { Prediction } from './prediction.ts';
import type { Performed, Undo } from './undo.ts';

/** The facts in a validation's journal. With the downtime log they are all that a report needs. */
export type ValidationFact = RecordedFact & {
  /**
   * The names of the applications that it concerns, where a run has several; without it all
   * (docs/decisions/0047-several-applications-in-one-run.md).
   */
  readonly of?: readonly string[];
};

type RecordedFact =
  | RunStarted
  | (Fact & { readonly type: 'check-finished'; readonly mandatory: boolean; readonly finding: CheckFinding })
  | ProbesPlaced
  | (Fact & { readonly type: 'application-verified'; readonly expectations: readonly Expectation[] })
  | ActionIntended
  | (Fact & { readonly type: 'action-performed'; readonly id: string } & Performed)
  | ActionFailed
  | (Fact & { readonly type: 'action-verified'; readonly id: string; readonly expectation: Expectation })
  | ActionUndone
  | ClusterChanged
  | (Fact & { readonly type: 'cluster-watched'; readonly kind: WatchedKind })
  /** The watch of that kind has had no connection since then, until `cluster-watched`. */
  | (Fact & { readonly type: 'cluster-unwatched'; readonly kind: WatchedKind; readonly since: string })
  /** What is expected to happen and why, written before the first action. */
  | (Fact & { readonly type: 'scenario-predicted'; readonly scenario: string; readonly prediction: Prediction })
  | (Fact & { readonly type: 'scenario-started'; readonly scenario: string })
  | (Fact & { readonly type: 'clock-compared' } & ClockCompared)
  /**
   * The lines of a followed log came earlier or later by their own times than before: one of the two clocks was set.
   */
  | (Fact & { readonly type: 'log-clock-set'; readonly file: string; readonly seconds: number })
  /** This machine's clock was set; the times of the run go on as before. */
  | (Fact & { readonly type: 'clock-set'; readonly seconds: number })
  | (Fact & { readonly type: 'window-opened'; readonly scenario: string })
  /** The next round of a scenario begins. */
  | (Fact & { readonly type: 'round-opened'; readonly scenario: string; readonly round: number })
  /** A note of the plan about the circumstances. */
  | (Fact & { readonly type: 'scenario-noted'; readonly scenario: string; readonly expectation: Expectation })
  | (Fact & Observed)
  | (Fact & { readonly type: 'scenario-settled'; readonly scenario: string })
  | (Fact & { readonly type: 'window-closed'; readonly scenario: string })
  | ScenarioInconclusive
  | ScenarioBlocked
  /** Of several applications: its actions do not reach this one, for which it is made again. */
  | (Fact & { readonly type: 'scenario-passed-over'; readonly scenario: string })
  | (Fact & { readonly type: 'scenario-finished'; readonly scenario: string })
  | (Fact & { readonly type: 'run-interrupted'; readonly signal: string })
  /** There was more unexpected downtime than `--abort-after` allows. */
  | (Fact & { readonly type: 'run-aborted'; readonly because: string })
  | (Fact & { readonly type: 'run-failed'; readonly because: string })
  | (Fact & { readonly type: 'run-finished' })
  | ManifestsRehearsed
  | ApplicationRehearsed
  | AssumptionJudged
  | RehearsedAgainst
  | FrontDoorRehearsed
  | LineDamaged;

/** Why the scenario has no result. */
export interface ScenarioInconclusive extends Fact {
  readonly type: 'scenario-inconclusive';
  readonly scenario: string;
  readonly because: string;
  readonly brokenOff?: true;
  /** The rules whose fields of the manifests are why. */
  readonly rules?: readonly string[];
  /** The cluster had nothing that it could disturb. */
  readonly needless?: true;
}
/** Why the scenario, or what it wanted first, can never come to its end. */
export interface ScenarioBlocked extends Fact {
  readonly type: 'scenario-blocked';
  readonly scenario: string;
  readonly obstacles: readonly Obstacle[];
}
/**
 * The applications of the manifests of `-f`, the one of this run first, and for each rule of the audit the field to
 * change in their files.
 */
export interface ManifestsRehearsed extends Fact {
  readonly type: 'manifests-rehearsed';
  readonly applications: readonly RehearsedApplication[];
  readonly places: Readonly<Record<string, ManifestPlace>>;
  /** Absent in the journals of older versions. */
  readonly notRehearsed?: readonly NotRehearsed[];
}
/** Of the outages together, and of their spans. */
export interface DowntimeBounds extends Bounded {
  readonly span: Bounded;
}
/**
 * Rehearsals of an application with the manifests of `--against` and with those of the run, of the same seeds in the
 * same order; written after `run-finished`.
 */
export interface RehearsedAgainst extends Fact {
  readonly type: 'rehearsed-against';
  readonly paths: readonly string[];
  /** `KIND/NAME`, where there are several; one that only one of the two has comes without the results of the other. */
  readonly application?: string;
  readonly before: readonly SeededResult[];
  readonly after: readonly SeededResult[];
}
/** What a comparison needs of a rehearsal. */
export interface SeededResult {
  readonly seed: number;
  readonly scenarios: readonly {
    readonly name: string;
    readonly verdict: 'pass' | 'fail' | 'inconclusive' | 'not-tested';
    readonly downtime: DowntimeBounds | null;
  }[];
  readonly criteria: readonly {
    readonly number: 1 | 2 | 3 | 4 | 5 | 6;
    readonly outcome: Outcome | 'not-tested';
  }[];
}
/** Written after `run-finished`, when further rehearsals have said where the verdict turns. */
export interface AssumptionJudged extends Fact {
  readonly type: 'assumption-judged';
  readonly assumption: Assumption;
}
/** What manifests do not say of an application, as it was taken (docs/rehearse-your-own.md). */
export interface Assumption {
  readonly name: string;
  /** `KIND/NAME`. */
  readonly application: string;
  /** Seconds, or whether it does so. */
  readonly value: number | boolean;
  readonly setting: string;
  /**
   * The nearest whole second with another verdict (`again`: farther away the first verdict comes back), or the other
   * answer; null if the verdict is the same from 0 s to 10 min, or either way.
   */
  readonly turnsAt: Turn | null;
  /** Seconds at which the run, which fails at the assumed value, does not fail, and does within the next nine. */
  readonly byChanceAt?: readonly number[];
}
type Turn = ({ readonly seconds: number; readonly again?: true } | { readonly value: boolean }) & {
  readonly verdict: 'pass' | 'fail' | 'inconclusive' | 'error';
};

export interface RunStarted extends Fact {
  readonly type: 'run-started';
  readonly tool: { readonly name: 'holdfast'; readonly version: string };
  readonly run: RunIdentity;
  /** The scenarios that this run was to run, and whether others were left out. */
  readonly scenarios: readonly string[];
  readonly partial: boolean;
  /** Whether the run, or `recover`, removes in the end what it applied. */
  readonly cleanup?: boolean;
  /** Where several probers watch; absent with one. */
  readonly vantages?: RunVantages;
  /** The run is performed and judged by these. They hold no secret. */
  readonly settings: Settings;
}
/** The probe pods run, one in each zone that has a place for it; written before phase 3. */
export interface ProbesPlaced extends Fact {
  readonly type: 'probes-placed';
  readonly vantages: RunVantages;
  /** Zones of the cluster without a probe, and why. */
  readonly without: readonly { readonly zone: string; readonly because: string }[];
}
/**
 * The probers of a run by the names of their logs, the files of the run folder with the copies, and what counts as
 * down.
 */
export interface RunVantages {
  readonly rule: 'any' | 'all' | 'most';
  readonly logs: readonly { readonly name: string; readonly file: string }[];
}
export interface RunIdentity {
  readonly id: string;
  readonly kind: 'rehearsal' | 'cluster';
  readonly seed?: number;
  /** The URL of the API server, or the description of the embedded cluster. */
  readonly cluster: string;
}
/**
 * On disk before the action is performed; with it `recover` can undo the action (docs/contract.md, "The run folder").
 */
export interface ActionIntended extends Fact {
  readonly type: 'action-intended';
  readonly id: string;
  readonly scenario: string | null;
  readonly action: string;
  readonly subject: string;
  /** The node that the action takes away; of several, `nodes`. */
  readonly node?: string;
  readonly nodes?: readonly string[];
  readonly intent: unknown;
}
/** `unanswered`: there was no response, so the server may still perform the action. */
export interface ActionFailed extends Fact {
  readonly type: 'action-failed';
  readonly id: string;
  readonly because: string;
  readonly unanswered?: true;
}
/**
 * `openForCleanup`: a run or a `recover` without `--cleanup` kept the object that the run made, and a `recover` with it
 * still removes it.
 */
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
