import type { PlannedAction } from '../actions/index.ts';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import type { Observable } from '../observe/observation.ts';
import type { Before, Snapshot } from '../observe/snapshot.ts';
import type { Need } from '../permissions/needs.ts';
import type { Circumstances } from '../predict/circumstances.ts';
import type { Prediction } from '../record/prediction.ts';
import type { Settings } from '../settings.ts';

/**
 * A row of table 4.1, made runnable. It states and never waits, logs, loops or cleans up: `run-scenario.ts` does that once
 * for all of them.
 */
export interface Scenario {
  readonly name: string;
  /** The row's name in 4.1. */
  readonly title: string;
  /** The row's own words. */
  readonly expected: string;
  readonly explanation: Explanation;
  /** The acceptance criterion of 4.2 that it decides; absent where only the whole run, or none, does. */
  readonly criterion?: 1 | 2 | 3 | 5;
  /** Its row of the specification's result table (4.1, 5); absent where it has none. */
  readonly resultRow?: string;
  /** An action of it cannot be undone, so that a person has to allow it. */
  readonly irreversible?: true;
  /** What it needs of the API server besides scaling the application to its baseline. */
  readonly permissions: (settings: Settings) => readonly Need[];
  /** What it needs of the cloud, as IAM writes it. */
  readonly cloudPermissions?: readonly string[];
  /** How many requests it sends besides the monitor's; none where it is not said. */
  readonly requests?: (settings: Settings) => number;
  /** What one round of it is expected to bring in these circumstances, and why. */
  readonly predict: (now: Circumstances, settings: Settings) => Prediction;
  /** Brought about before the window opens. */
  readonly baseline: { readonly appReplicas: number };
  /** How often it is made in its one window, each time from the baseline; once where it is not said. */
  readonly rounds?: number;
  /** What it does is done through the cloud's APIs: to an instance, or in the zone. */
  readonly needs?: CloudPart;
  /** What is looked at besides the cluster. */
  readonly observes?: Observable;
  /** Pure. What to do to what, or why nothing worth judging can be done here. The disruption itself comes last. */
  readonly plan: (before: Before, settings: Settings, round: number) => Plan;
  /** Pure. Whether the cluster has come to rest after the actions. */
  readonly settled: (now: Snapshot, before: Before, round: number) => boolean;
  readonly settleWithinSeconds: number;
  /** How long the effect is kept when the cluster is at rest, before it is undone; 10 s where it is not said. */
  readonly holdSeconds?: number;
  /** How long the application may need after the undo until it is steady again; 120 s where it is not said. */
  readonly steadyWithinSeconds?: number;
  /**
   * Whether what comes replaces what went. If not (scale up) Pod Ready Time counts from each pod's creation and no node
   * counts as replaced (facts 6.7).
   */
  readonly replaces: boolean;
  /** Whether an empty node that the autoscaler removes is one of its effects (criterion 6). */
  readonly mayRemoveEmptyNodes: boolean;
  /** Ready endpoints may fall under the budget's `minAvailable` here (contract section 2, mass eviction). */
  readonly mayLoseEndpoints: boolean;
  /** Pure. The row's expectation, statement by statement. */
  readonly judge: (measured: Measurement, settings: Settings) => readonly Expectation[];
}

/** What a scenario or a criterion is about, for people. */
export interface Explanation {
  readonly how: string;
  /** How it goes wrong in practice. */
  readonly fails: readonly string[];
  readonly measured: readonly string[];
}

export type CloudPart = 'instances' | 'zone';
export type Plan =
  | {
      readonly actions: readonly PlannedAction[];
      /** What is worth knowing of the circumstances, such as who else is hit. */
      readonly notes?: readonly Expectation[];
    }
  | { readonly inconclusive: string };
