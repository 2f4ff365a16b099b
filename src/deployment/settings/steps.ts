import type { Command } from '../../host/host.ts';

/** One command of a deploy besides git's. */
export interface Step {
  readonly name: string;
  readonly command: Command;
  /** Where it runs, from the checkout's top; absent: there. */
  readonly folder?: string;
  /** Added to the environment of all commands. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Seconds; the run's limit for every command where absent. */
  readonly timeout?: number;
  /** A step that fails is a failed verification, unless it only warns. */
  readonly onFailure?: 'fail' | 'warn';
  /** What its files have to look like afterwards: a command may exit 0 and have done nothing. */
  readonly leaves?: Leaves;
  /** Files renamed into place after the step has succeeded: no request meets a missing or partial file. */
  readonly publish?: readonly Publication[];
  /** What differs where all steps run in one process: visitors get the old caches until the new ones are complete. */
  readonly together?: Together;
  /**
   * Run only where one of these files differs between the two commits; a `/` at the end means every file in that
   * folder.
   */
  readonly whenChanged?: readonly string[];
  /**
   * What it makes is read by php-fpm and the web server: it runs under the umask that the files of the checkout have.
   */
  readonly served?: true;
  /**
   * Of a step that only deploys run: changes nothing, and fails as the step does where what that needs is away, such as
   * a database. So it tells at the commit before whether the commit is at fault.
   */
  readonly probe?: Command;
  /** Run only in a deploy, or only in a rollback; in both where absent. */
  readonly on?: 'deploy' | 'rollback';
}
/** Paths from the top of the checkout; the last part may contain `*`. */
export type Leaves = { readonly absent: string } | { readonly present: string };
export interface Publication {
  /** A file, or a folder each of whose files is published. */
  readonly from: string;
  readonly to: string;
}

export interface Together {
  readonly environment: Readonly<Record<string, string>>;
  /** The folder for compiled views. */
  readonly views: string;
  /** The application logs nothing. */
  readonly quiet?: true;
  readonly publish?: readonly (Publication & {
    /** Other files in the folder are removed: they were compiled from views that are gone. */
    readonly whole?: true;
  })[];
}

/** Step 7 of 4.3, and what surrounds it. */
export interface CacheSteps {
  readonly clear: readonly Step[];
  readonly rebuild: readonly Step[];
}
