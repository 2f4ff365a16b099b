import type { Bounded, Bounds } from '../../figures/figures.js';
import type { ExpectedStatuses } from '../../settings/expected-status.ts';
import type { Episode, Outage } from '../downtime/downtime.ts';
import type { ReusedSamples } from '../downtime/read-downtime-log.ts';
import type { VantageRule } from '../downtime/vantage-rule.ts';
import type { SeenBy } from '../downtime/vantages.ts';
import type { Finding, Outcome } from '../finding.ts';
import type { CpuMeasurement } from '../measure/cpu.ts';
import type { NameMeasurement } from '../measure/name.ts';
import type { RehearsedApplication } from '../record/application-rehearsed.ts';
import type { Assumption, RunIdentity } from '../record/events.ts';
import type { FrontDoorRehearsed, NotRehearsed } from '../record/front-door-rehearsed.ts';
import type { LoadRecorded } from '../record/load-recorded.ts';
import type { MeasuredSteps } from '../record/prediction.ts';
import type { Undo } from '../record/undo.ts';
import type { ShownPart, WindowDowntime } from '../window-downtime.ts';

/** docs/contract.md, "report.json". What was not tested is null, never zero. */
export interface RunResult {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: 'holdfast'; readonly version: string };
  readonly run: RunIdentity & { readonly startedAt: string; readonly finishedAt: string | null };
  /** The settings of the downtime log. An outage shorter than the interval can be missed. */
  readonly probe?: ProbeSettings;
  /** Where several probers watched: each, and when the application counted as down. */
  readonly vantages?: readonly ReadVantage[];
  readonly rule?: VantageRule;
  readonly verdict: Verdict;
  readonly partial: boolean;
  /** Present in a run with manifests of `-f`, or of several applications. */
  readonly applications?: readonly ApplicationResult[];
  readonly assumptions?: readonly Assumption[];
  /** Present in a rehearsal with manifests of `-f`. */
  readonly notRehearsed?: readonly NotRehearsed[];
  /** What visitors notice behind each front door that was asked for. */
  readonly frontDoors?: readonly Omit<FrontDoorRehearsed, 'at' | 'type'>[];
  /** With `--against`. */
  readonly against?: Against;
  readonly criteria: readonly Criterion[];
  readonly resultTable: readonly ResultRow[];
  readonly scenarios: readonly ScenarioResult[];
  readonly findings: readonly Finding[];
  readonly outages: readonly (Outage & Partial<SeenBy> & Hit)[];
  /** The outages as people see them: those of a part of the requests as one. */
  readonly episodes: readonly (Episode & { readonly span: Bounded } & Partial<SeenBy> & Hit)[];
  readonly replacements: readonly Replacement[];
  readonly undo: readonly (Undo & { readonly action: string; readonly target: string })[];
}

/** An application of the run; where there are several, what was judged of it alone. */
export interface ApplicationResult extends RehearsedApplication {
  readonly verdict: Verdict;
  readonly criteria?: readonly Pick<Criterion, 'number' | 'outcome' | 'because'>[];
  readonly scenarios?: readonly (Pick<ScenarioResult, 'name' | 'verdict'> & {
    readonly downtime: ShownPart | null;
  })[];
}

/** What an outage hit, and in which scenario of that application. */
interface Hit {
  readonly scenario: string | null;
  /** Where the run validates several. */
  readonly application?: string;
}

export interface ReadVantage {
  readonly name: string;
  /** In the run folder. */
  readonly log: string;
  readonly samples: number;
  readonly unknown: number;
}

export interface ProbeSettings {
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  readonly slowSeconds: number;
  readonly expect: ExpectedStatuses;
}

export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'error';

export interface Criterion {
  readonly number: 1 | 2 | 3 | 4 | 5 | 6;
  readonly text: string;
  readonly outcome: Outcome | 'not-tested';
  readonly because: string;
  /** Why none of its scenarios has anything to disturb here: the run is whole without it. */
  readonly notApplicable?: string;
}

export interface ScenarioResult {
  readonly name: string;
  readonly title: string;
  readonly expected: string;
  readonly verdict: 'pass' | 'fail' | 'inconclusive' | 'not-tested';
  /** Why it has nothing to disturb here: the run is whole without it. */
  readonly notApplicable?: string;
  readonly window: { readonly from: string; readonly to: string } | null;
  /** Also null if the window has no sample. */
  readonly downtime: WindowDowntime | null;
  readonly nodeReplacementSeconds: number | null;
  readonly nodeReadySeconds: number | null;
  readonly podReadySeconds: number | null;
  /**
   * The three with their bounds: what the API's whole seconds and the arrival of its changes leave
   * (docs/facts/measuring.md, "Two witnesses").
   */
  readonly nodeReplacement: Bounded | null;
  readonly nodeReady: Bounded | null;
  readonly podReady: Bounded | null;
  readonly nodesReplaced: number | null;
  readonly maxConcurrentDisruptions: number | null;
  readonly predicted: string | null;
  readonly findings: readonly Finding[];
  /** The downtime of each application of the manifests of `-f`. */
  readonly targets?: readonly { readonly application: string; readonly downtime: WindowDowntime | null }[];
  /** Container restarts of the application. This and the following members are absent if they were not observed. */
  readonly podRestarts?: number;
  /** How far the number of ready pods fell. */
  readonly podsLostAtOnce?: number;
  readonly fewestReadyEndpoints?: number;
  /** Samples on a kept connection: beside the downtime, never part of it. */
  readonly keptConnections?: ReusedSamples;
  readonly load?: Omit<LoadRecorded, 'startedAt'>;
  readonly cpu?: CpuMeasurement;
  readonly dns?: NameMeasurement;
  /** When the steps that a prediction names were seen. */
  readonly steps?: MeasuredSteps;
}

/** A NodeClaim of the pool that was deleted, and why (docs/facts/karpenter.md, "Why a NodeClaim went"). */
export interface Replacement {
  readonly nodeClaim: string;
  readonly node: string | null;
  readonly cause: string;
  readonly ours: boolean;
  readonly at: string;
}

/** A row of the specification's result table: Scenario, Downtime, Node Replacement Time, Pod Ready Time (4.1, 5). */
export interface ResultRow {
  readonly scenario: string;
  readonly downtimeSeconds: number | null;
  readonly nodeReplacementSeconds: number | null;
  readonly podReadySeconds: number | null;
  /** The three with their bounds. */
  readonly downtime: ShownPart | null;
  readonly nodeReplacement: Bounded | null;
  readonly podReady: Bounded | null;
}

export type Change = 'better' | 'worse' | 'same';

/**
 * What a change of manifests does: rehearsals with those before beside those with those after, each pair with one seed.
 * With several applications each scenario and criterion is that of the application on which the change is worst.
 */
export interface Against extends Compared {
  readonly paths: readonly string[];
  readonly seeds: readonly number[];
  /** Where there are several. */
  readonly applications?: readonly ComparedApplication[];
}
export interface Compared {
  readonly change: Change;
  readonly scenarios: readonly Changed<'name', string, SeededScenario>[];
  readonly criteria: readonly Changed<'number', Criterion['number'], Criterion['outcome']>[];
}
export interface ComparedApplication extends Compared {
  /** `KIND/NAME`. */
  readonly application: string;
  /** Visitors reach it with only one of the two: nothing of it is compared. */
  readonly only?: 'before' | 'after';
}
type Changed<K extends string, N, V> = Readonly<Record<K, N>> & {
  readonly before: V;
  readonly after: V;
  readonly change: Change;
};

/** Of all seeds the worst verdict, and the bounds that hold all downtimes. */
export interface SeededScenario {
  readonly verdict: ScenarioResult['verdict'];
  readonly downtime: (Bounds & { readonly span: Bounds }) | null;
}
