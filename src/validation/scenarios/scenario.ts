import type { PlannedAction } from '../actions/index.ts';
import type { Expectation } from '../finding.ts';
import type { Measurement } from '../measure/measure.ts';
import type { Observable } from '../observe/observation.ts';
import type { Before, Snapshot } from '../observe/snapshot.ts';
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

export type CloudPart = 'instances' | 'zone';
export type Plan =
  | {
      readonly actions: readonly PlannedAction[];
      /** What is worth knowing of the circumstances, such as who else is hit. */
      readonly notes?: readonly Expectation[];
    }
  | { readonly inconclusive: string };
