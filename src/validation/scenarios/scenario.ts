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
 * A row of table 4.1, or a further scenario: what to do, what to expect and how to judge it. Its functions decide and
 * never act: `run-scenario.ts` waits, performs, records and undoes for all scenarios.
 */
export interface Scenario {
  readonly name: string;
  /** The row's name in 4.1; of a further one, its own. */
  readonly title: string;
  /** The row's words in 4.1; of a further one, its own. */
  readonly expected: string;
  readonly explanation: Explanation;
  /** The acceptance criterion of 4.2 that it decides; absent if it decides none. */
  readonly criterion?: 1 | 2 | 3 | 5;
  /** Its row in the result table of 4.1, phase 5; absent if it has none. */
  readonly resultRow?: string;
  /** It disturbs what only Karpenter has: node pools, node claims, and machines that it replaces. */
  readonly needsKarpenter?: true;
  /** It disturbs the ingress controller, which an application with a load balancer of its own does not have. */
  readonly needsIngress?: true;
  /** It scales the application, which a DaemonSet cannot be. */
  readonly needsReplicas?: true;
  /**
   * What it disturbs for every application that has the same: the text is the same for those. It is made once for all
   * of them then; absent, it disturbs one application.
   */
  readonly sharedBy?: (settings: Settings) => string;
  /** What it disturbs that two applications may share. */
  readonly disturbs?: readonly Shareable[];
  /**
   * For each of its measured expectations the rules of the audit that it rests on, the likeliest first, for findings
   * whose advice names none. A rule that no manifest of an application decides is left out.
   */
  readonly restsOn?: Readonly<Record<string, readonly string[]>>;
  /** Every application is down in it, whatever it does to stay up: its downtime is no application's fault. */
  readonly sparesNone?: true;
  /**
   * On an application of its owner it only demonstrates something and judges nothing. If it must not run there, the run
   * is still complete.
   */
  readonly demonstrates?: true;
  /** No row of 4.1, and a whole run of an application of its owner (`manifests: none`) has it. */
  readonly ofOwner?: true;
  /** What it terminates, which nothing undoes, so a person has to allow it: `an instance`. */
  readonly terminates?: string;
  /** No question is asked for this action: on a real cluster the command line has to allow it. */
  readonly onlyWithFlag?: true;
  /** What it needs of the API server besides scaling the application to its baseline. */
  readonly permissions: (settings: Settings) => readonly Need[];
  /** What it needs of the cloud, as IAM writes it. */
  readonly cloudPermissions?: readonly string[];
  /** How many requests it sends besides those of the monitor; none by default. */
  readonly requests?: (settings: Settings) => number;
  /** The prediction of one round in these circumstances. */
  readonly predict: (now: Circumstances, settings: Settings) => Prediction;
  /** The most nodes that the autoscaler may start in all its rounds; none by default. */
  readonly newNodes?: (now: Circumstances) => number;
  /** Set before the window opens. */
  readonly baseline: Baseline;
  /**
   * The same with the numbers of the application's owner (`manifests: none`); absent if it does not scale, or sets the
   * same for all.
   */
  readonly forOwner?: (owner: OwnerReplicas) => Scenario;
  /** How often it is made in its window, each time from the baseline; once by default. */
  readonly rounds?: number;
  /** The part of the cloud that it acts on. */
  readonly needs?: CloudPart;
  /** What is observed besides the cluster. */
  readonly observes?: Observable;
  /** The actions of a round, the disruption itself last; or why nothing can be tested on this cluster. */
  readonly plan: (before: Before, settings: Settings, round: number) => Plan;
  /** Whether the cluster has come to rest after the actions. */
  readonly settled: (now: Snapshot, before: Before, round: number) => boolean;
  /**
   * How long that may take where the application's pods end within 40 s, the grace period of the specification;
   * `settleLimitSeconds` adds what they take longer.
   */
  readonly settleWithinSeconds: number;
  /**
   * How long the effect lasts after the cluster has come to rest, before it is undone; `holdSeconds` of frame.ts by
   * default.
   */
  readonly holdSeconds?: number;
  /** How long the application may need after the undo until it is steady again; 120 s by default. */
  readonly steadyWithinSeconds?: number;
  /**
   * Whether new pods and nodes replace others. If not (scale up), Pod Ready Time counts from the creation of each pod,
   * and no node counts as replaced (docs/facts/measuring.md, "The columns of the result table").
   */
  readonly replaces: boolean;
  /** Whether an empty node that the autoscaler removes is one of its effects (criterion 6). */
  readonly mayRemoveEmptyNodes: boolean;
  /**
   * Whether ready endpoints may fall under the budget's `minAvailable` (docs/contract.md, "The evidence of a
   * criterion").
   */
  readonly mayLoseEndpoints: boolean;
  /** The row's expectation, one for each statement. */
  readonly judge: (measured: Measurement, settings: Settings) => readonly Expectation[];
}

/**
 * `nodes`: of the pool; `budget`: one that counts the pods of both; `quota`: of their namespace; `host`: the name in
 * DNS.
 */
export type Shareable = 'nodes' | 'ingress-controller' | 'dns-automation' | 'host' | 'budget' | 'quota';

/** How many replicas the owner of an application declares, and how far they may be scaled. */
export interface OwnerReplicas {
  readonly wanted: number;
  /** 2.5 times, as 4.1 scales from 2 to 5, or as many as an autoscaler allows. */
  readonly scaledUp: number;
  /** The fewest that the budgets and the autoscalers allow, at least one. */
  readonly scaledDown: number;
}

export interface Baseline {
  readonly appReplicas: number;
  /**
   * A larger number is accepted: an application whose owner wants more is tested with the owner's number
   * (starting-replicas.ts). So is one whose owner wants a single replica.
   */
  readonly orMore?: true;
  /**
   * The replicas are not set: the application has at least this many, and an autoscaler may change their number
   * meanwhile.
   */
  readonly asItIs?: true;
}

/** What a scenario or a criterion means, for people. */
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
      /** What to know of the cluster before, such as who else is affected. */
      readonly notes?: readonly Expectation[];
    }
  | {
      readonly inconclusive: string;
      /** The rules whose fields of the manifests are why; absent where none is. */
      readonly rules?: readonly string[];
      /** The cluster has nothing that the scenario could disturb. */
      readonly needless?: true;
    };
