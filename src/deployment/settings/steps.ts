import type { Command } from '../../host/host.ts';

/** One command of a deploy besides git's. */
export interface Step {
  readonly name: string;
  readonly command: Command;
  /** Added to what all commands see. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The run's limit for every command where it is absent. */
  readonly timeout?: number;
  /** A step that fails is a failed verification, unless it only warns. */
  readonly onFailure?: 'fail' | 'warn';
  /** What is true of the files after it: a command that says it succeeded may have done nothing. */
  readonly leaves?: Leaves;
  /** Renamed into place when the step has succeeded: at no moment is there no file, or half of one. */
  readonly publish?: readonly Publication[];
  /** What differs where all steps run in one process, so that visitors meet the old caches until the new ones are whole. */
  readonly together?: Together;
  /** Only where one of these files differs between the two commits; a `/` at the end stands for all in that folder. */
  readonly whenChanged?: readonly string[];
  /** Only then; at both without it. */
  readonly on?: 'deploy' | 'rollback';
}
/** Paths from the top of the checkout; the last part may hold `*`. */
export type Leaves = { readonly absent: string } | { readonly present: string };
export interface Publication {
  /** A file, or a folder each of whose files is published. */
  readonly from: string;
  readonly to: string;
}

export interface Together {
  readonly environment: Readonly<Record<string, string>>;
  /** Where views are compiled to. */
  readonly views: string;
  readonly publish?: readonly (Publication & {
    /** What else is in the folder goes: it was made from views that are gone. */
    readonly whole?: true;
  })[];
}

/** Step 7 of 4.3, and what surrounds it. */
export interface CacheSteps {
  readonly clear: readonly Step[];
  readonly rebuild: readonly Step[];
}
