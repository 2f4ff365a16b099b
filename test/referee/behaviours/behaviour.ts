import type { Stage } from './stage.ts';

/** What somebody does to a cluster, in steps that are timed, and what stands there before. */
export interface Behaviour {
  readonly name: string;
  /** What is done, in one sentence. */
  readonly deed: string;
  /** What is applied first, after the namespace; the deed begins once every pod that they ask for is Ready. */
  readonly before: (names: Names) => readonly object[];
  /** How many endpoints the application should have throughout the deed. */
  readonly wanted: number;
  readonly play: (stage: Stage) => Promise<void>;
}

/** Both are the behaviour's own, so that several can be played in one cluster. */
export interface Names {
  readonly namespace: string;
  readonly pool: string;
}

/** What a user could measure, and what a reader of objects sees. */
export interface Observed {
  /** Seconds that each step took, or what was seen, by the step's name. */
  readonly steps: Readonly<Record<string, number | string>>;
  /** Seconds of the deed without a ready endpoint, and with fewer than wanted. */
  readonly withoutSeconds: number;
  readonly tooFewSeconds: number;
  readonly leastEndpoints: number;
  /** What stands there at the end: counts and reasons. */
  readonly objects: Readonly<Record<string, number | string>>;
  /** Kind, type and reason of the events of Karpenter about what the behaviour made, each once. */
  readonly events: readonly string[];
  /** Why it could not be played. */
  readonly impossible?: string;
}
