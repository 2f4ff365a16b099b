import type { Cluster } from '../cluster/cluster.ts';
import type { Host } from '../host/host.ts';
import type { PlannedAction } from './actions/index.ts';
import type { Expectation } from './finding.ts';
import type { Measurement } from './measure.ts';
import type { Settings } from './settings.ts';
import type { Before, Snapshot } from './snapshot.ts';

/** Where a procedure happens: the outside, and the cluster seen through it. */
export interface Site {
  readonly host: Host;
  readonly cluster: Cluster;
}

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
  /** Pure. What to do to what, or why nothing worth judging can be done here. */
  readonly plan: (before: Before, settings: Settings) => Plan;
  /** Pure. Whether the cluster has come to rest after the actions. */
  readonly settled: (now: Snapshot, before: Before) => boolean;
  readonly settleWithinSeconds: number;
  /**
   * Whether what comes replaces what went. If not (scale up) Pod Ready Time counts from each pod's creation and no node
   * counts as replaced (facts 6.7).
   */
  readonly replaces: boolean;
  /** More nodes replaced than this is a surprise replacement (criterion 6). */
  readonly mayReplaceNodes: number;
  /** Ready endpoints may fall under the budget's `minAvailable` here (contract section 2, mass eviction). */
  readonly mayLoseEndpoints: boolean;
  /** Pure. The row's expectation, statement by statement. */
  readonly judge: (measured: Measurement) => readonly Expectation[];
}

export type Plan = { readonly actions: readonly PlannedAction[] } | { readonly inconclusive: string };
